package pebble_test

import (
	"math"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	root "github.com/simdbloom/simdbloom"
	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// TestWithFPR: tables of few keys and of many have the rate, and are read by Filters.
func TestWithFPR(t *testing.T) {
	const fpr = 0.01
	absent := numbered(1_000_000, 20_000)
	for _, format := range []root.Format{root.FastLocal, root.Paired, root.Linear, root.Ribbon, root.SplitBlock, root.Legacy, root.LevelDB} {
		p, err := simdbloom.WithFPR(format, fpr)
		if err != nil {
			t.Fatal(err)
		}
		reader := simdbloom.Filters()[p.Name()]
		for _, n := range []int{1, 100, 1000, 30_000} {
			keys := numbered(0, n)
			data, found := write(p, nil, keys), 0
			for _, key := range keys {
				if !reader.MayContain(pebble.TableFilter, data, key) {
					t.Fatalf("%v: a key is missing", format)
				}
			}
			for _, key := range absent {
				if reader.MayContain(pebble.TableFilter, data, key) {
					found++
				}
			}
			if rate := float64(found) / float64(len(absent)); n >= 1000 && (rate > 1.5*fpr || rate < fpr/4) {
				t.Errorf("%v, %d keys: %v", format, n, rate)
			}
		}
	}
	for _, wrong := range []float64{0, 1, math.NaN()} {
		if p, err := simdbloom.WithFPR(root.Paired, wrong); err == nil || p != nil {
			t.Errorf("%v: %v", wrong, p)
		}
	}
}
