package fallback

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// TestAsTheNaiveFilters builds filters with every number of probes and looks up in them,
// as package internal/test/naive does.
func TestAsTheNaiveFilters(t *testing.T) {
	added, absent := randomHashes(1, 3000), randomHashes(2, 1000)
	for probes := 1; probes <= 30; probes++ {
		body, want := make([]byte, 4096), make([]byte, 4096)
		FastLocalAdd(body, probes, added)
		for _, hash := range added {
			naive.FastLocalAdd(want, probes, hash)
		}
		check(t, fmt.Sprintf("FastLocal, k=%d", probes), body, want, append(absent, added...),
			func(hash uint64) bool { return FastLocalContains(body, probes, hash) },
			func(hits, hashes []uint64) { FastLocalContainsBatch(body, probes, hashes, hits) },
			func(hash uint64) bool { return naive.FastLocalContains(want, probes, hash) })
	}
	for _, batch := range []int{32, 128} {
		for probes := 2; probes <= 30; probes++ {
			const blocks = 256
			body, want := make([]byte, blocks*BlockBytes), make([]byte, blocks*BlockBytes)
			counts := make([]uint16, blocks)
			PairedCount(counts, 0, blocks, added)
			PairedSetPairs(body, batch, counts)
			PairedAdd(body, batch, probes, added)
			naive.PairBlocks(want, batch, counts)
			for _, hash := range added {
				naive.PairedAdd(want, batch, probes, hash)
			}
			check(t, fmt.Sprintf("Paired, batches of %d, k=%d", batch, probes), body, want, append(absent, added...),
				func(hash uint64) bool { return PairedContains(body, batch, probes, hash) },
				func(hits, hashes []uint64) { PairedContainsBatch(body, batch, probes, hashes, hits) },
				func(hash uint64) bool { return naive.PairedContains(want, batch, probes, hash) })
		}
	}
}

func check(t *testing.T, name string, body, wantBody []byte, hashes []uint64,
	contains func(uint64) bool, containsBatch func(hits, hashes []uint64), want func(uint64) bool,
) {
	t.Helper()
	if !bytes.Equal(body, wantBody) {
		t.Fatalf("%s: other bytes", name)
	}
	hits := make([]uint64, (len(hashes)+63)/64)
	containsBatch(hits, hashes)
	for i, hash := range hashes {
		if w := want(hash); contains(hash) != w || hits[i/64]>>(i%64)&1 != 0 != w {
			t.Fatalf("%s: hash %#x: alone %v, in the batch %v, want %v", name, hash, contains(hash), hits[i/64]>>(i%64)&1 != 0, w)
		}
	}
}

func randomHashes(seed uint64, n int) []uint64 {
	r := rand.New(rand.NewPCG(seed, seed))
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	return hashes
}
