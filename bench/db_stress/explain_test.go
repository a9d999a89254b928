package main

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestLossesAreToldApart: a key that a full iteration misses as well is lost without a filter's part, if reads were to
// fail and no filter says "no".
func TestLossesAreToldApart(t *testing.T) {
	remove := func(s *store) error { return s.Delete(appendKey(nil, 17), nil) }
	empty := func(s *store) error { return s.Set(appendKey(nil, 17), nil, nil) } // as Pebble's compactions write it
	for _, c := range []struct {
		what   string
		wrap   func(pebble.FilterPolicy) pebble.FilterPolicy
		spoil  func(*store) error
		faults int
		apart  bool
		said   []string
	}{
		{"lost", sound, remove, 100, true, []string{"full iteration: not found", "DB.Get: not found", "the filter has it"}},
		{"empty", sound, empty, 100, true, []string{"full iteration: a value that was never written"}},
		{"no read can fail", sound, remove, 0, false, []string{"full iteration: not found"}},
		{"a filter says no", func(p pebble.FilterPolicy) pebble.FilterPolicy { return losing{p} }, func(*store) error { return nil }, 100, false, []string{
			"full iteration: version 1", "an iterator: not found",
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := opened(t, 20, 0, "simdbloom.FastLocal:10", c.wrap)
			s.put(t, 10, 17)
			s.plan.ReadFaultOneIn = c.faults
			if err := errors.Join(s.Compact(t.Context(), appendKey(nil, 0), appendKey(nil, 20), false), c.spoil(s)); err != nil {
				t.Fatal(err)
			}
			err := s.explained(s.verify())
			var f *failure
			if !errors.As(err, &f) || f.apart != c.apart {
				t.Fatalf("%v", err)
			}
			for _, said := range c.said {
				if !strings.Contains(err.Error(), said) {
					t.Errorf("no %q in\n%v", said, err)
				}
			}
		})
	}
}

// TestTablesForRocksDB: tables of ForRocksDB's policies are verified and changed by what their filters are.
func TestTablesForRocksDB(t *testing.T) {
	for _, text := range []string{"rocksdb.BloomFilter:10", "rocksdb.RibbonFilter:10", "rocksdb.internal.LegacyBloomFilter:10"} {
		s := opened(t, 300, 0, text, sound)
		s.close(t)
		s.plan.ForRocksDB = true
		for i := range s.plan.Policies {
			s.plan.Policies[i].ForRocksDB = true
		}
		s.open(t, sound, func(pebble.DataCorruptionInfo) {})
		var keys []int
		for i := range 300 {
			keys = append(keys, i)
		}
		s.put(t, keys...)
		if err := s.verify(); err != nil {
			t.Error(err)
		}
		s.close(t)
		paths, err := tablesIn(s.plan.Store)
		if err != nil || len(paths) != 1 {
			t.Fatal(paths, err)
		}
		b, err := filterOf(paths[0], 0)
		if err != nil || b.policy != pebbleName || b.policy != s.plan.Policies[0].recorded() {
			t.Fatal(b, err)
		}
		changed, err := damage(s.plan.Store, 0, true, generator(5, 5))
		if err != nil || len(changed) != 1 {
			t.Fatalf("%s: %d blocks, %v", text, len(changed), err)
		}
		s.plan.Look = true
		s.open(t, sound, func(pebble.DataCorruptionInfo) {})
		if err := s.verify(); err != nil {
			t.Errorf("%s, changed: %v", text, err)
		}
	}
}

// TestRocksDBsTablesAreReadByTheLibrary: where there may be some, Pebble's own policy reads no table.
func TestRocksDBsTablesAreReadByTheLibrary(t *testing.T) {
	chosen := 0
	for seed := range uint64(200) {
		p := plan{ForRocksDB: true}
		p.choose(&settings{filterURI: random}, generator(seed, 1))
		if p.Filters != allFilters {
			t.Fatalf("read by %s", p.Filters)
		}
		for _, level := range p.Policies {
			if _, err := level.parse(1); err != nil {
				t.Errorf("%v: %v", level, err)
			}
			if level.ForRocksDB {
				chosen++
			}
		}
	}
	if chosen < 100 {
		t.Errorf("%d policies for RocksDB", chosen)
	}
}

// TestLookupsInManyFiltersAreCompared: answers that lack a filter, or a key, are found.
func TestLookupsInManyFiltersAreCompared(t *testing.T) {
	set := new(filterSet)
	for i := range 5 {
		b, err := bloom.NewBuilder(10, keyhash.XX64)
		if err != nil {
			t.Fatal(err)
		}
		var keys [][]byte
		for j := range 100 {
			keys = append(keys, fmt.Appendf(nil, "key %d of filter %d", j, i))
			b.Add(keys[j])
		}
		f, err := b.Filter()
		if err != nil {
			t.Fatal(err)
		}
		set.add(f, keys)
	}
	for what, c := range map[string]struct {
		ways  manyWays
		found bool
	}{
		"right": {together, false},
		"AppendFilters lacks the last": {manyWays{func(dst []int, filters []*root.Filter, hash uint64) []int {
			return root.AppendFilters(dst, filters[:len(filters)-1], hash)
		}, root.Candidates}, true},
		"Candidates lacks the last filter": {manyWays{root.AppendFilters, func(filters []*root.Filter, hashes, wanted []uint64) iter.Seq2[int, []int] {
			return root.Candidates(filters[:len(filters)-1], hashes, wanted)
		}}, true},
		"Candidates lacks the last key": {manyWays{root.AppendFilters, func(filters []*root.Filter, hashes, wanted []uint64) iter.Seq2[int, []int] {
			return root.Candidates(filters, hashes[:len(hashes)-1], slices.Clone(wanted))
		}}, true},
	} {
		if err := set.lookUp(generator(1, 1), c.ways); (err != nil) != c.found {
			t.Errorf("%s: %v", what, err)
		}
	}
}
