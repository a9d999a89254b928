package dcso_test

import (
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// TestLargeFilters compares batches with naive lookups, by every rule, in filters whose lines are prefetched and in
// others.
func TestLargeFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, n := range []uint64{1_000_000, 8_000_000} {
		want := naive.NewDCSO(n, 0.001)
		for i := range want.Words {
			want.Words[i] = r.Uint64() | r.Uint64()
		}
		want.Words[len(want.Words)-1] = 0
		for rule := dcso.Multiply; rule <= dcso.Added; rule++ {
			for i := range 300 {
				want.Add(key(i), rule.String())
			}
		}
		data := want.Append(nil, false)
		for rule := dcso.Multiply; rule <= dcso.Added; rule++ {
			f := open(t, data).WithRule(rule)
			var keys [][]byte
			for i := range 900 {
				keys = append(keys, key(i))
			}
			hits, found := make([]bool, len(keys)), 0
			f.ContainsKeys(keys, hits)
			for i, key := range keys {
				if contains := want.Contains(key, rule.String()); hits[i] != contains || f.Contains(key) != contains {
					t.Fatalf("n %d, %v, key %d: not %v", n, rule, i, contains)
				}
				if hits[i] {
					found++
				}
			}
			if found < 300 || found > 400 {
				t.Errorf("n %d, %v: %d keys", n, rule, found)
			}
		}
	}
}
