package policy_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

// TestBatches looks up many hashes at once, as it does one.
func TestBatches(t *testing.T) {
	for _, p := range policy.Readers() {
		t.Run(p.Name(), func(t *testing.T) { testBatches(t, p) })
	}
}

func testBatches(t *testing.T, p *policy.Policy) {
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
}
