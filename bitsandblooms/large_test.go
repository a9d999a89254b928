package bitsandblooms_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// TestLookupsInLargeFilters has bitsets that are in no fast cache, whole and shorter than m, in both byte orders.
func TestLookupsInLargeFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	words := make([]uint64, 2<<20+1) // 16 MiB
	for i := range words {
		words[i] = r.Uint64() | r.Uint64() | r.Uint64()
	}
	words[len(words)-1] &= 1<<21 - 1
	length := 64*uint64(len(words)-1) + 21
	for i, want := range []naive.BitsAndBlooms{
		{M: length, K: 7, Length: length},
		{M: length, K: 2, Length: length},
		{M: length - 1000, K: 5, Length: length},
		{M: length + 64, K: 4, Length: length},
		{M: length, K: 0, Length: length},
	} {
		want.Words = words
		f := open(t, want.Append(nil, [...]binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian}[i%2]))
		keys, found := make([][]byte, 3*256+1), 0 // one more than groups
		hashes, hits := make([]bitsandblooms.Hash, len(keys)), make([]bool, len(keys))
		for i := range keys {
			keys[i] = binary.LittleEndian.AppendUint64(nil, r.Uint64())
			hashes[i] = bitsandblooms.Sum(keys[i])
		}
		for from := 0; from < len(keys); from += 1 + from {
			for _, lookUp := range []func(){
				func() { f.ContainsKeys(keys[from:], hits[from:]) },
				func() { f.ContainsHashes(hashes[from:], hits[from:]) },
			} {
				for i := range hits {
					hits[i] = true // from before
				}
				lookUp()
				for i, key := range keys[from:] {
					contains := want.Contains(naive.BitsAndBloomsHash(key))
					if hits[from+i] != contains || f.Contains(key) != contains {
						t.Fatalf("m %d, k %d, key %d of %d: not %v", want.M, want.K, i, len(keys)-from, contains)
					}
					if contains {
						found++
					}
				}
			}
		}
		if found < 500 {
			t.Errorf("m %d, k %d: only %d keys were contained", want.M, want.K, found)
		}
	}
}
