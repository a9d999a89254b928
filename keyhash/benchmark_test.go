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
				"AppendColumn": func() { h.AppendColumn(room[:0], keyhash.Values(keys)) },
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
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
		})
	}
	for _, h := range builtins {
		for _, n := range []int{8, 13, 16, 20, 24, 32, 64, 100, 1000} {
			run(strconv.Itoa(n), h, manyKeys(n))
		}
		for _, bounds := range [][2]int{{0, 16}, {0, 31}, {10, 60}, {0, 127}, {0, 255}} {
			least, most := bounds[0], bounds[1]
			keys := manyKeys(most)
			for i, key := range keys {
				keys[i] = key[:least+rand.IntN(most-least+1)]
			}
			run(fmt.Sprint(least, " to ", most), h, keys)
		}
		for _, n := range []int{8, 16, 20, 24, 32, 64} {
			run(fmt.Sprint(n, " scattered"), h, scatteredKeys(n, n))
		}
		run("0 to 64 scattered", h, scatteredKeys(0, 64))
	}
}

// scatteredKeys returns keys of the given lengths in random order, from 64 MiB: more than the caches of most cores
// have.
func scatteredKeys(least, most int) [][]byte {
	const apart = 128
	memory := make([]byte, 64<<20)
	for i := range memory {
		memory[i] = byte(uint32(i) * 0x9e3779b1 >> 16)
	}
	keys := slices.Collect(slices.Chunk(memory, apart))
	for i, key := range keys {
		keys[i] = key[:least+rand.IntN(most-least+1)]
	}
	rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

func manyKeys(n int) [][]byte {
	memory := make([]byte, benchmarkKeys*n)
	for i := range memory {
		memory[i] = byte(rand.Uint32())
	}
	return slices.Collect(slices.Chunk(memory, n))
}
