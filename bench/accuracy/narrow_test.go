package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

// measuredNarrows measures a section of a small scope.
func measuredNarrows(t *testing.T, newSection func(scope, plan) *selection) *selection {
	t.Helper()
	p := make(plan)
	section := newSection(small, p)
	p.run(t)
	return section
}

func TestNarrowFilters(t *testing.T) {
	for _, newSection := range []func(scope, plan) *selection{newLegacies, newLevelDBs} {
		section := measuredNarrows(t, newSection)
		if err := section.check(); err != nil {
			t.Error(err)
		}
		for _, e := range section.rows {
			if e.filters > small.mostNarrow || e.positives < 100 || e.queries() < 0.99e5 {
				t.Errorf("%s: %d filters, %v queries, %d false positives", e, e.filters, e.queries(), e.positives)
			}
		}
		section.rows[0].predicted *= 1.2
		section.rows[1].estimated *= 0.5
		if err := section.check(); err == nil || !strings.Contains(err.Error(), ", predicted ") || !strings.Contains(err.Error(), ", estimated ") {
			t.Error(err)
		}
	}
}

// TestKeysOfLines builds filters of the numbers of keys that should have those lines.
func TestKeysOfLines(t *testing.T) {
	lines := []int{1, 21, 999, 16_385}
	for _, bitsPerKey := range []int{10, 16} {
		keys := keysOf(bitsPerKey, lines...)
		for i, n := range keys {
			for more, want := range []int{lines[i], lines[i] + 2} { // always odd
				data, err := legacyData(n+more, float64(bitsPerKey))
				if err != nil {
					t.Fatal(err)
				}
				f, err := legacy.Open(data, keyhash.RocksDB32)
				if err != nil || legacy.NumLines(f) != want {
					t.Errorf("%d keys at %d bits/key: %d lines, not %d, %v", n+more, bitsPerKey, legacy.NumLines(f), want, err)
				}
			}
		}
		if !slices.IsSorted(keys) {
			t.Errorf("%d", keys)
		}
	}
}

func legacyData(keys int, bitsPerKey float64) ([]byte, error) {
	b, err := legacyKind.newBuilder(bitsPerKey)
	if err != nil {
		return nil, err
	}
	for i := range keys {
		b.AddHash(uint64(i))
	}
	return b.Finish()
}
