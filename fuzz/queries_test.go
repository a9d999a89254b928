package fuzz

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

// hashesIn reads hashes out of a fuzzer's bytes, eight to each.
func hashesIn(data []byte) []uint64 {
	var hashes []uint64
	for ; len(data) >= 8; data = data[8:] {
		hashes = append(hashes, binary.LittleEndian.Uint64(data))
	}
	return hashes
}

// queryable has the queries that all filters have: simdbloom's, and filterfile's.
type queryable interface {
	Contains(key []byte) bool
	ContainsString(key string) bool
	ContainsHash(hash uint64) bool
	ContainsKeys(keys [][]byte, hits []bool)
	ContainsHashes(hashes []uint64, hits []bool)
	ContainsHashBits(hashes, hits []uint64)
	AppendHits(dst []int, hashes []uint64) []int
	EstimatedFPR() float64
	NumProbes() int
	SizeBytes() int
	Format() simdbloom.Format
	Hash() keyhash.Hash
}

// checkQueries tests that all queries by hash give the answers that want gives.
func checkQueries(t *testing.T, f queryable, hashes []uint64, want func(hash uint64) bool) {
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
	most := map[simdbloom.Format]int{simdbloom.Legacy: 127, simdbloom.Blobloom: asm.MostBlobloomProbes}
	if k := f.NumProbes(); k < 0 || k > max(32, most[f.Format()]) {
		t.Fatalf("%d probes", k)
	}
}

// checkRate computes the rate, but that of legacy filters, which takes tens of milliseconds.
func checkRate(t *testing.T, f queryable) {
	t.Helper()
	if f.Format() == simdbloom.Legacy {
		return
	}
	if rate := f.EstimatedFPR(); !(rate >= 0 && rate <= 1) || math.Signbit(rate) {
		t.Fatalf("estimated rate %v", rate)
	}
}

// checkKey tests that all queries of a key give one answer, which is that of its hash, unless hashes
// are of another kind than the filter's.
func checkKey(t *testing.T, f queryable, key []byte) {
	t.Helper()
	var hits [9]bool
	want := f.Contains(key)
	if hashApplies(f) {
		want = f.ContainsHash(f.Hash().Sum64(key))
	}
	f.ContainsKeys(slices.Repeat([][]byte{key}, len(hits)), hits[:])
	if f.Contains(key) != want || f.ContainsString(string(key)) != want || slices.Contains(hits[:], !want) {
		t.Fatalf("key %x: the queries disagree", key)
	}
}

// hashApplies is false for RocksDB's filters whose key hash is another one than that of their name, so
// that only keys can be looked up, and for bytes of these formats elsewhere. Pebble's without keys is
// five zeros.
func hashApplies(f queryable) bool {
	if f.Hash() == keyhash.RocksDB32 {
		return f.Format() != simdbloom.FastLocal && f.Format() != simdbloom.Ribbon
	}
	return f.Hash() != keyhash.XXPH3 || f.Format() != simdbloom.Legacy && (f.Format() != simdbloom.Empty || f.SizeBytes() == 0)
}

// checkUint64s tests that keys of 64 bits are their 8 little-endian bytes.
func checkUint64s(t *testing.T, f *simdbloom.Filter, values []uint64) {
	t.Helper()
	hits := make([]bool, len(values))
	f.ContainsUint64s(values, hits)
	for i, value := range values {
		if want := f.Contains(binary.LittleEndian.AppendUint64(nil, value)); hits[i] != want || f.ContainsUint64(value) != want {
			t.Fatalf("value %#x: %v, alone %v, want %v", value, hits[i], f.ContainsUint64(value), want)
		}
	}
}
