package main

import (
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bench/internal/pebblefilter"
)

// No change that loosen makes may lose a key, whatever policy reads the filter.
func TestLooseFiltersLoseNoKey(t *testing.T) {
	readers := simdbloom.Filters()
	random := generator(24, 0)
	for _, kind := range kinds[1:] {
		for _, bits := range []string{"5", "10", "23", "40"} {
			for _, keys := range []int{1, 100, 3000} {
				p, err := pebblefilter.Parse(withBits(kind.texts[0], bits))
				if err != nil {
					t.Fatal(err)
				}
				w := p.NewWriter(pebble.TableFilter)
				for i := range keys {
					w.AddKey(appendKey(nil, i))
				}
				filter := w.Finish(nil)
				changed := 0
				for range 40 {
					loose := slices.Clone(filter)
					if loosen(loose, p.Name(), random) {
						changed++
					}
					for i := range keys {
						if !readers[p.Name()].MayContain(pebble.TableFilter, loose, appendKey(nil, i)) {
							t.Fatalf("%s, %d keys: key %d is lost: %x became %x", withBits(kind.texts[0], bits), keys, i, filter, loose)
						}
					}
				}
				if changed < 20 {
					t.Errorf("%s, %d keys: %d changes", withBits(kind.texts[0], bits), keys, changed)
				}
			}
		}
	}
}
