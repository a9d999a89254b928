package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	split "github.com/parquet-go/parquet-go/bloom"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// BenchmarkBuildInCaches builds filters of a size that is known before, from keys of 16 bytes and from hashes, 10 bits
// each, beside parquet-go's InsertBulk. Builders are used again, as their pools are. Pin it to one CPU.
func BenchmarkBuildInCaches(b *testing.B) {
	for _, size := range []int{16 << 10, 1 << 20} {
		n := size * 8 / adderBits
		memory := make([]byte, 16*n)
		for i := range memory {
			memory[i] = byte(rand.Uint32())
		}
		keys := slices.Collect(slices.Chunk(memory, 16))
		hashes := keyhash.XX64.AppendHashes(nil, keys)
		run := func(name string, build func() error) {
			b.Run(fmt.Sprintf("%dKiB/%s", size>>10, name), func(b *testing.B) {
				for b.Loop() {
					if err := build(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
			})
		}
		run("parquet-go/keys", func() error { return parquet{make(split.SplitBlockFilter, size/split.BlockSize)}.add(keys) })
		run("parquet-go/hashes", func() error {
			make(split.SplitBlockFilter, size/split.BlockSize).InsertBulk(hashes)
			return nil
		})
		for _, f := range []struct {
			name string
			more int // bytes than blocks
			new  func(bitsPerKey float64, hash keyhash.Hash, options ...root.Option) (*root.Builder, error)
		}{{"FastLocal", 5, bloom.NewBuilder}, {"SplitBlock", 0, splitblock.NewBuilder}} {
			builder, err := f.new(adderBits, keyhash.XX64, root.WithSizeBytes(size+f.more))
			if err != nil {
				b.Fatal(err)
			}
			finish := func() error {
				_, err := builder.Finish()
				return err
			}
			run(f.name+"/keys", func() error { builder.AddKeys(keys); return finish() })
			run(f.name+"/hashes", func() error { builder.AddHashes(hashes); return finish() })
		}
	}
}
