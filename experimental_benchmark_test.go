package simdbloom_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

// BenchmarkLookup looks up 64 Ki new hashes a pass, half of them present, by ContainsHash and by the function that
// Lookup returns, in turn, and reports the medians and their ratio. With "uint64" it looks up keys of 8 bytes, by
// ContainsUint64 and by LookupUint64's function. Pin it to one CPU, and give it 50x or more.
func BenchmarkLookup(b *testing.B) {
	for _, of := range []struct {
		name       string
		newBuilder func(float64, keyhash.Hash, ...simdbloom.Option) (*simdbloom.Builder, error)
		hash       keyhash.Hash
		bitsPerKey float64
	}{
		{"FastLocal", bloom.NewBuilder, keyhash.XX64, 10},
		{"FastLocal", bloom.NewBuilder, keyhash.XX64, 18},
		{"SplitBlock", splitblock.NewBuilder, keyhash.XX64, 11},
		{"Blobloom", blobloom.NewBuilder, keyhash.XX64, 10},
		{"Blobloom", blobloom.NewBuilder, keyhash.XX64, 20},
		{"Paired", paired.NewBuilder, keyhash.XX64, 23.4},
		{"Linear", linear.NewBuilder, keyhash.XX64, 10},
		{"Ribbon", ribbon.NewBuilder, keyhash.XX64, 10},
		{"Legacy", legacy.NewBuilder, keyhash.RocksDB32, 10},
		{"LevelDB", leveldb.NewBuilder, keyhash.LevelDB32, 10},
		{"uint64 in FastLocal", bloom.NewBuilder, keyhash.XX64, 10},
		{"uint64 in SplitBlock", splitblock.NewBuilder, keyhash.XX64, 11},
	} {
		countOne, countInlined, call, sum := countByHash, countByLookup, "ContainsHash", of.hash.SumUint64
		if strings.HasPrefix(of.name, "uint64") {
			countOne, countInlined, call, sum = countByUint64, countByLookupUint64, "ContainsUint64", func(key uint64) uint64 { return key }
		}
		for _, size := range []int{16 << 10, 1 << 20, 32 << 20} {
			keys := uint64(float64(size) * 8 / of.bitsPerKey)
			b.Run(fmt.Sprintf("%s of %v bits/%d KiB", of.name, of.bitsPerKey, size>>10), func(b *testing.B) {
				builder := must(of.newBuilder(of.bitsPerKey, of.hash))
				for i := range keys {
					builder.AddUint64(i)
				}
				f := must(builder.Filter()).CopyAligned()
				hashes, called, inlined := make([]uint64, 64<<10), []time.Duration(nil), []time.Duration(nil)
				timed := func(count func(*simdbloom.Filter, []uint64) int, times *[]time.Duration) {
					for i := range hashes {
						hashes[i] = sum(rand.Uint64N(2 * keys))
					}
					begin := time.Now()
					count(f, hashes)
					*times = append(*times, time.Since(begin))
				}
				for first := true; b.Loop(); first = !first {
					if first {
						timed(countOne, &called)
					}
					timed(countInlined, &inlined)
					if !first {
						timed(countOne, &called)
					}
				}
				if countInlined(f, hashes) != countOne(f, hashes) {
					b.Fatalf("Lookup answers otherwise than %s", call)
				}
				slices.Sort(called)
				slices.Sort(inlined)
				was, is := called[len(called)/2], inlined[len(inlined)/2]
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(was.Nanoseconds())/float64(len(hashes)), "ns/"+call)
				b.ReportMetric(float64(is.Nanoseconds())/float64(len(hashes)), "ns/Lookup")
				b.ReportMetric(float64(is)/float64(was), "ratio")
				b.Logf("%s of %d probes, %d KiB", of.name, f.NumProbes(), f.SizeBytes()>>10)
			})
		}
	}
}

//go:noinline
func countByHash(f *simdbloom.Filter, hashes []uint64) (found int) {
	for _, hash := range hashes {
		if f.ContainsHash(hash) {
			found++
		}
	}
	return found
}

//go:noinline
func countByLookup(f *simdbloom.Filter, hashes []uint64) (found int) {
	has := f.Lookup()
	for _, hash := range hashes {
		if has(hash) {
			found++
		}
	}
	return found
}

//go:noinline
func countByUint64(f *simdbloom.Filter, values []uint64) (found int) {
	for _, value := range values {
		if f.ContainsUint64(value) {
			found++
		}
	}
	return found
}

//go:noinline
func countByLookupUint64(f *simdbloom.Filter, values []uint64) (found int) {
	has := f.LookupUint64()
	for _, value := range values {
		if has(value) {
			found++
		}
	}
	return found
}
