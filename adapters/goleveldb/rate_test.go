package goleveldb_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/table"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/policy"
)

// sized is a filter that knows how many keys each of its filters has.
type sized struct {
	filter.Filter
	keys []int
}

func (s *sized) NewGenerator() filter.FilterGenerator {
	return &sizedGenerator{s.Filter.NewGenerator(), s, 0}
}

type sizedGenerator struct {
	filter.FilterGenerator
	of   *sized
	keys int
}

func (g *sizedGenerator) Add(key []byte) {
	g.keys++
	g.FilterGenerator.Add(key)
}

func (g *sizedGenerator) Generate(b filter.Buffer) {
	g.of.keys = append(g.of.keys, g.keys)
	g.keys = 0
	g.FilterGenerator.Generate(b)
}

// TestRateIsThePredicted looks up absent keys in a table of goleveldb's.
func TestRateIsThePredicted(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	t.Parallel()
	const n, sigmas, model = 100_000, 5, 0.03 // what predictions are good for
	paired, err := policy.Parse("speedb.PairedBloomFilter:10")
	check(t, err)
	for kind, k := range map[string]keys{"numbers": numbers, "digests": digests} {
		order := k.sorted(n)
		for _, c := range []struct {
			policy *policy.Policy
			base   int
		}{
			{policy.FastLocal(10), opt.DefaultFilterBaseLg},
			{policy.FastLocal(10), baseLg},
			{policy.FastLocal(5), 14},
			{paired, baseLg},
		} {
			filters := &sized{Filter: goleveldb.Filter(c.policy)}
			own := &counted{Filter: filters}
			r := newTable(t, k, order, &opt.Options{Filter: own, FilterBaseLg: c.base})
			for i := range n {
				if _, err := r.FindKey(k.absent(i), true, nil); err != nil && !errors.Is(err, table.ErrNotFound) {
					t.Fatal(err)
				}
			}
			r.Release()

			var expected float64
			for _, keys := range filters.keys {
				expected += float64(keys) * c.policy.PredictedFPR(keys)
			}
			queries, maybes := own.queried.Load(), own.maybe.Load()
			about := fmt.Sprintf("%s, base %d, %s, %d filters", c.policy, c.base, kind, len(filters.keys))
			t.Logf("%s: %d false positives, predicted %.1f", about, maybes, expected)
			if math.Abs(float64(maybes)-expected) > sigmas*math.Sqrt(expected)+model*expected {
				t.Errorf("%s: %d false positives, not %.1f", about, maybes, expected)
			}
			if queries < n-10 || queries > n { // after the last key there is no block to query
				t.Errorf("%s: queried %d times for %d keys", about, queries, n)
			}
			if whole := len(filters.keys) == 1; whole != (c.base == baseLg) {
				t.Errorf("%s: is one for the table", about)
			}
		}
	}
}

// newTable returns a table of the keys with these numbers, in memory.
func newTable(t *testing.T, k keys, order []int, o *opt.Options) *table.Reader {
	var file bytes.Buffer
	w := table.NewWriter(&file, o, nil, 0)
	for _, i := range order {
		check(t, w.Append(k.present(i), value(i)))
	}
	check(t, w.Close())
	r, err := table.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()), storage.FileDesc{}, nil, nil, o)
	check(t, err)
	return r
}
