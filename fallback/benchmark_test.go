package fallback

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The benchmarks look up 256 Ki different hashes a pass; ns/key is what counts.
// Pin them to one CPU and compare within one run:
//
//	go test ./fallback -c && taskset -c 1 ./fallback.test -test.bench .
const queries = 1 << 18

var (
	benchmarkSizes  = []int{16 << 10, 1 << 20, 32 << 20}
	benchmarkProbes = []struct{ probes, bitsPerKey int }{{6, 10}, {12, 23}, {16, 23}}
	shares          = []string{"absent", "present", "mixed"}
)

func BenchmarkFastLocal(b *testing.B) {
	more := randomHashes(3, queries)
	for _, size := range benchmarkSizes {
		for _, p := range benchmarkProbes[:2] {
			body := make([]byte, size)
			added := randomHashes(1, size*8/p.bitsPerKey)
			FastLocalAdd(body, p.probes, added)
			forEachShare(b, fmt.Sprintf("%dKiB/k=%d", size>>10, p.probes), added, func(b *testing.B, hashes []uint64) {
				measure(b, "single", func() {
					for _, h := range hashes {
						count(FastLocalContains(body, p.probes, h))
					}
				})
				hits := make([]uint64, queries/64)
				measure(b, "batch", func() { FastLocalContainsBatch(body, p.probes, hashes, hits) })
			})
			measure(b, fmt.Sprintf("%dKiB/k=%d/add", size>>10, p.probes), func() {
				FastLocalAdd(body, p.probes, more)
			})
		}
	}
}

func BenchmarkPaired(b *testing.B) {
	more := randomHashes(3, queries)
	for _, size := range benchmarkSizes {
		for _, p := range benchmarkProbes[2:] {
			body := make([]byte, size)
			counts := make([]uint16, size/BlockBytes)
			added := randomHashes(1, size*8/p.bitsPerKey)
			PairedCount(counts, 0, uint32(len(counts)), added)
			PairedSetPairs(body, 128, counts)
			PairedAdd(body, 128, p.probes, added)
			forEachShare(b, fmt.Sprintf("%dKiB/k=%d", size>>10, p.probes), added, func(b *testing.B, hashes []uint64) {
				measure(b, "single", func() {
					for _, h := range hashes {
						count(PairedContains(body, 128, p.probes, h))
					}
				})
				hits := make([]uint64, queries/64)
				measure(b, "batch", func() { PairedContainsBatch(body, 128, p.probes, hashes, hits) })
			})
			measure(b, fmt.Sprintf("%dKiB/k=%d/add", size>>10, p.probes), func() {
				PairedAdd(body, 128, p.probes, more)
			})
		}
	}
}

func BenchmarkLevelDB(b *testing.B) {
	for _, size := range benchmarkSizes {
		for _, p := range []struct{ probes, bitsPerKey int }{{6, 10}, {11, 16}} {
			body := make([]byte, size)
			modulus := NewModulus(8 * uint64(len(body)))
			added := randomHashes(1, size*8/p.bitsPerKey)
			name := fmt.Sprintf("%dKiB/k=%d", size>>10, p.probes)
			LevelDBAdd(body, modulus, p.probes, added)
			forEachShare(b, name, added, func(b *testing.B, hashes []uint64) {
				measure(b, "single", func() {
					for _, h := range hashes {
						count(LevelDBContains(body, modulus, p.probes, h))
					}
				})
				hits := make([]uint64, queries/64)
				measure(b, "batch", func() { LevelDBContainsBatch(body, modulus, p.probes, hashes, hits) })
			})
		}
	}
}

var found int

// count adds a hit without a branch, which a mix of answers would mispredict.
func count(hit bool) {
	n := 0
	if hit {
		n = 1
	}
	found += n
}

func forEachShare(b *testing.B, name string, added []uint64, run func(*testing.B, []uint64)) {
	for _, share := range shares {
		hashes := randomHashes(2, queries)
		for i := range hashes {
			if share == "present" || share == "mixed" && rand.IntN(2) == 0 {
				hashes[i] = added[rand.IntN(len(added))]
			}
		}
		b.Run(name+"/"+share, func(b *testing.B) { run(b, hashes) })
	}
}

func measure(b *testing.B, name string, pass func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			pass()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/queries, "ns/key")
	})
}

func randomHashes(seed uint64, n int) []uint64 {
	r := rand.New(rand.NewPCG(seed, seed))
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	return hashes
}
