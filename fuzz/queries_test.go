package fuzz

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
)

// hashesIn reads hashes out of a fuzzer's bytes, eight to each.
func hashesIn(data []byte) []uint64 {
	var hashes []uint64
	for ; len(data) >= 8; data = data[8:] {
		hashes = append(hashes, binary.LittleEndian.Uint64(data))
	}
	return hashes
}

// checkQueries tests that all queries of a filter give the answers that want gives.
func checkQueries(t *testing.T, f contract.Filter, hashes []uint64, want func(hash uint64) bool) {
	t.Helper()
	hits, bits := make([]bool, len(hashes)), make([]uint64, (len(hashes)+63)/64)
	f.ContainsHashes(hashes, hits)
	f.ContainsHashBits(hashes, bits)
	var indexes []int
	for i, hash := range hashes {
		w := want(hash)
		if w {
			indexes = append(indexes, i)
		}
		if hits[i] != w || bits[i/64]>>(i%64)&1 != 0 != w || f.ContainsHash(hash) != w {
			t.Fatalf("hash %d, %#x: bool %v, bit %v, alone %v, want %v",
				i, hash, hits[i], bits[i/64]>>(i%64)&1 != 0, f.ContainsHash(hash), w)
		}
	}
	if got := f.AppendHits(nil, hashes); !slices.Equal(got, indexes) {
		t.Fatalf("AppendHits %v, want %v", got, indexes)
	}
	if rate := f.EstimatedFPR(); !(rate >= 0 && rate <= 1) || math.Signbit(rate) {
		t.Fatalf("estimated rate %v", rate)
	}
	if f, ok := f.(interface{ NumProbes() int }); ok {
		if k := f.NumProbes(); k < 0 || k > 32 {
			t.Fatalf("%d probes", k)
		}
	}
}

// checkKeys does so for a key, too.
func checkKeys(t *testing.T, f contract.Filter, key []byte, hash uint64) {
	t.Helper()
	hits := make([]bool, 2)
	f.ContainsKeys([][]byte{key, key}, hits)
	if want := f.ContainsHash(hash); f.Contains(key) != want || f.ContainsString(string(key)) != want || hits[0] != want || hits[1] != want {
		t.Fatalf("key %x: the queries disagree", key)
	}
}
