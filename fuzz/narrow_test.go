package fuzz

import (
	"encoding/binary"
	"slices"
	"testing"
)

// narrowHashesIn reads hashes out of a fuzzer's bytes, four to each.
func narrowHashesIn(data []byte) (hashes []uint32) {
	for ; len(data) >= 4; data = data[4:] {
		hashes = append(hashes, binary.LittleEndian.Uint32(data))
	}
	return hashes
}

// narrowFilter is a filter of a format whose hashes have 32 bits.
type narrowFilter interface {
	Contains(key []byte) bool
	ContainsString(key string) bool
	ContainsHash(hash uint32) bool
	ContainsHashes(hashes []uint32, hits []bool)
	ContainsHashBits(hashes []uint32, hits []uint64)
	ContainsKeys(keys [][]byte, hits []bool)
	AppendHits(dst []int, hashes []uint32) []int
}

// checkNarrowQueries tests that all queries by hash give the answers that want gives.
func checkNarrowQueries(t *testing.T, f narrowFilter, hashes []uint32, want func(hash uint32) bool) {
	t.Helper()
	hits, words := make([]bool, len(hashes)), make([]uint64, (len(hashes)+63)/64)
	f.ContainsHashes(hashes, hits)
	f.ContainsHashBits(hashes, words)
	var indexes []int
	for i, hash := range hashes {
		w := want(hash)
		if w {
			indexes = append(indexes, i)
		}
		if hits[i] != w || words[i/64]>>(i%64)&1 != 0 != w || f.ContainsHash(hash) != w {
			t.Fatalf("hash %d, %#x: not %v", i, hash, w)
		}
	}
	if !slices.Equal(f.AppendHits(nil, hashes), indexes) {
		t.Fatal("AppendHits differs")
	}
}

// checkNarrowKey does so for a key.
func checkNarrowKey(t *testing.T, f narrowFilter, key []byte, want bool) {
	t.Helper()
	var hits [9]bool
	f.ContainsKeys(slices.Repeat([][]byte{key}, len(hits)), hits[:])
	if f.Contains(key) != want || f.ContainsString(string(key)) != want || hits[8] != want {
		t.Fatalf("key %x: not %v", key, want)
	}
}
