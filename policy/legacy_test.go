package policy_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestNarrowHashes looks up many hashes at once, more than there is room for.
func TestNarrowHashes(t *testing.T) {
	p := parse(t, "rocksdb.internal.LegacyBloomFilter:10")
	b := p.NewBuilder()
	hashes := p.Hash().AppendHashes(nil, vectors.Keys("le64", 0, 10_000))
	b.AddHashes(hashes[:5000])
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 64, 65, 2048, 2049, 10_000} {
		hits, bits := make([]bool, n), make([]uint64, (n+63)/64)
		f.ContainsHashes(hashes[:n], hits)
		f.ContainsHashBits(hashes[:n], bits)
		indexes := f.AppendHits([]int{-1}, hashes[:n])[1:]
		for i, hash := range hashes[:n] {
			want := f.ContainsHash(hash)
			if len(indexes) > 0 && indexes[0] == i {
				indexes = indexes[1:]
			} else if want {
				t.Fatalf("%d hashes: %d is no hit", n, i)
			}
			if hits[i] != want || bits[i/64]>>(i%64)&1 != 0 != want || i < 5000 && !want || p.MayContainHash(data, hash) != want {
				t.Fatalf("%d hashes: queries for %d disagree", n, i)
			}
		}
		if len(indexes) > 0 {
			t.Errorf("%d hashes: %d hits are none", n, len(indexes))
		}
	}
	key := []byte("key")
	if allocated := testing.AllocsPerRun(20, func() { p.MayContain(data, key) }); allocated > 0 {
		t.Errorf("MayContain allocates %v times", allocated)
	}
}
