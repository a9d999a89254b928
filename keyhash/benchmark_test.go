package keyhash_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/simdbloom/simdbloom/keyhash"
)

func BenchmarkSum64(b *testing.B) {
	var sum uint64
	benchmark(b, func(h keyhash.Hash, keys [][]byte) {
		for _, key := range keys {
			sum += h.Sum64(key)
		}
	})
}

func BenchmarkAppendHashes(b *testing.B) {
	var room [256]uint64 // the hashes are soon used up, and stay in the cache
	benchmark(b, func(h keyhash.Hash, keys [][]byte) {
		for block := range slices.Chunk(keys, len(room)) {
			h.AppendHashes(room[:0], block)
		}
	})
}

func BenchmarkUint64s(b *testing.B) {
	var sum uint64
	room := make([]uint64, 4096)
	for _, h := range hashes[:2] {
		for _, keys := range [][]uint64{make([]uint64, 8), make([]uint64, len(room))} {
			for name, pass := range map[string]func(){
				"AppendUint64s": func() { h.AppendUint64s(room[:0], keys) },
				"SumUint64": func() {
					for _, key := range keys {
						sum += h.SumUint64(key)
					}
				},
			} {
				b.Run(fmt.Sprint(h.Name(), "/", name, "/", len(keys)), func(b *testing.B) {
					for b.Loop() {
						pass()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
				})
			}
		}
	}
}

func benchmark(b *testing.B, pass func(h keyhash.Hash, keys [][]byte)) {
	run := func(name string, h keyhash.Hash, keys [][]byte) {
		b.Run(h.Name()+"/"+name, func(b *testing.B) {
			for b.Loop() {
				pass(h, keys)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkKeys, "ns/key")
		})
	}
	for _, h := range builtins {
		for _, n := range []int{8, 13, 16, 24, 32, 100, 1000} {
			run(strconv.Itoa(n), h, manyKeys(n))
		}
		// In random order, and from more memory than the caches of most cores have.
		const apart = 128
		keys := manyKeys(apart)
		for i, key := range keys {
			keys[i] = key[:16]
		}
		rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		run("16 scattered", h, keys)
	}
}

func manyKeys(n int) [][]byte {
	memory := make([]byte, benchmarkKeys*n)
	for i := range memory {
		memory[i] = byte(rand.Uint32())
	}
	return slices.Collect(slices.Chunk(memory, n))
}
