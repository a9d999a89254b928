package goleveldb_test

import (
	"math"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/filter"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// TestWithFPR: a filter has the name and the answers of the policy of that rate, and rates that no filter has are
// errors.
func TestWithFPR(t *testing.T) {
	for _, format := range []root.Format{root.FastLocal, root.Paired, root.Linear} {
		p, err := policy.WithFPR(format, 0.01)
		check(t, err)
		f, err := goleveldb.WithFPR(format, 0.01)
		check(t, err)
		b := p.NewBuilder()
		b.AddString("key")
		data, err := b.Finish()
		check(t, err)
		if f.Name() != p.Name() || !f.Contains(data, []byte("key")) {
			t.Errorf("%v: another filter, %s", format, f.Name())
		}
	}
	for _, fpr := range []float64{-1, 0, 1, math.NaN()} {
		if f, err := goleveldb.WithFPR(root.Paired, fpr); f != nil || err == nil {
			t.Errorf("a rate of %v: %v, %v", fpr, f, err)
		}
	}
}

// TestWrongBitsPerKey: constructors panic, also Paired, whose bits per key are read from a name.
func TestWrongBitsPerKey(t *testing.T) {
	for name, of := range map[string]func(float64) filter.Filter{"FastLocal": goleveldb.FastLocal, "Paired": goleveldb.Paired, "Linear": goleveldb.Linear} {
		for _, bits := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s of %v bits per key", name, bits)
					}
				}()
				of(bits)
			}()
		}
	}
}

// TestAltFiltersCount: the filters that are added count what the first counted one does.
func TestAltFiltersCount(t *testing.T) {
	var first, second filterblock.Counters
	given := []filter.Filter{goleveldb.FastLocal(3), goleveldb.Counted(goleveldb.Linear(12), &first), goleveldb.Counted(goleveldb.Paired(12), &second)}
	filters := goleveldb.AltFilters(given...)
	for _, f := range filters[len(given):] {
		f.Contains(nil, []byte("key"))
	}
	counts, others := first.Read(), second.Read()
	if n := counts.Useful + counts.Positives; n != uint64(len(filters)-len(given)) || others.Useful+others.Positives != 0 {
		t.Errorf("%+v and %+v of %d lookups", counts, others, len(filters)-len(given))
	}
}
