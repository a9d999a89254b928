package filterset_test

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// TestBatchesLongerThanAreSortedAtOnce: every kind of batch gives the answers of single lookups, of more hashes than
// a set sorts at a time, 2^18.
func TestBatchesLongerThanAreSortedAtOnce(t *testing.T) {
	const n = 1<<18 + 5000
	dir := filepath.Join(t.TempDir(), "set")
	values := someHashes(1, n)
	b := must(filterset.NewBuilder(dir, policy.FastLocal(10), n/2, setMemory, filterset.WithParts(4)))
	for i, value := range values {
		if i%2 == 0 || i > n-10 { // so that the answers of a piece are not those of another one
			b.AddUint64(value)
		}
	}
	if err := b.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := openSet(t, dir)
	var hashes []uint64
	keys := make([][]byte, n)
	want, indexes := make([]bool, n), []int(nil)
	words := make([]uint64, (n+63)/64)
	for i, value := range values {
		keys[i] = binary.LittleEndian.AppendUint64(nil, value)
		hashes = append(hashes, s.Hash().SumUint64(value))
		if want[i] = s.ContainsUint64(value); want[i] {
			indexes = append(indexes, i)
			words[i/64] |= 1 << (i % 64)
		}
	}
	for name, batch := range map[string]func(hits []bool){
		"ContainsHashes":  func(hits []bool) { s.ContainsHashes(hashes, hits) },
		"ContainsKeys":    func(hits []bool) { s.ContainsKeys(keys, hits) },
		"ContainsUint64s": func(hits []bool) { s.ContainsUint64s(values, hits) },
	} {
		hits := make([]bool, n)
		if batch(hits); !slices.Equal(hits, want) {
			t.Errorf("%s differs from single lookups", name)
		}
	}
	got := make([]uint64, len(words))
	if s.ContainsHashBits(hashes, got); !slices.Equal(got, words) {
		t.Error("ContainsHashBits differs from single lookups")
	}
	if !slices.Equal(s.AppendHits(nil, hashes), indexes) {
		t.Error("AppendHits differs from single lookups")
	}
}

// TestSetsShareTheirSortingMemory: a batch in a set of few parts, and then in one of many, which needs more.
func TestSetsShareTheirSortingMemory(t *testing.T) {
	hashes := someHashes(1, 1000)
	var sets []*filterset.Set
	for _, parts := range []int{1, 2, 512} {
		dir := filepath.Join(t.TempDir(), "set")
		buildSet(t, dir, policy.FastLocal(10), hashes, filterset.WithParts(parts))
		sets = append(sets, openSet(t, dir))
	}
	for _, s := range append(sets, sets[1], sets[0]) {
		if n := len(s.AppendHits(nil, hashes)); n != len(hashes) {
			t.Errorf("%d parts: %d of %d keys", s.Info().NumParts(), n, len(hashes))
		}
	}
}

// TestLenCountsEveryWayToAdd, while hashes wait to be written and after.
func TestLenCountsEveryWayToAdd(t *testing.T) {
	b := must(filterset.NewBuilder(filepath.Join(t.TempDir(), "set"), policy.FastLocal(10), 1<<20, setMemory, filterset.WithParts(2)))
	defer b.Close()
	want := int64(0)
	check := func(n int) {
		t.Helper()
		if want += int64(n); b.Len() != want {
			t.Fatalf("%d keys, want %d", b.Len(), want)
		}
	}
	for _, n := range []int{0, 1, 2, 7, 4095, 4096, 4097, 10_001} {
		hashes := someHashes(uint64(n), n)
		b.AddHashes(hashes)
		check(n)
		b.AddColumn(keyhash.Values(hashes))
		check(n)
		keys := make([][]byte, n)
		for i := range keys {
			keys[i] = binary.LittleEndian.AppendUint64(nil, hashes[i]+1)
		}
		b.AddKeys(keys)
		check(n)
		b.AddHash(uint64(n))
		b.AddString("key")
		b.Add([]byte("another"))
		b.AddUint64(7)
		check(4)
	}
}
