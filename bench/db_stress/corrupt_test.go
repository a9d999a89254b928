package main

import (
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"
)

// TestTablesThatShareAPrefix: a lookup of key 12081 with the prefix 512 queries the filter of a level
// whose next key is 12112, and may end with that one's error.
func TestTablesThatShareAPrefix(t *testing.T) {
	table := func(first, last int) (info pebble.SSTableInfo) {
		info.Smallest.UserKey, info.Largest.UserKey = appendKey(nil, first), appendKey(nil, last)
		return info
	}
	for _, c := range []struct {
		prefixSize, first, last, from, to int
		want                              bool
	}{
		{0, 12081, 12109, 12112, 19999, false},
		{0, 12081, 12112, 12112, 19999, true},
		{3, 12081, 12109, 12112, 19999, true},
		{3, 12081, 12109, 10025, 12077, true},
		{3, 12081, 12109, 13000, 19999, false},
		{3, 12081, 12109, 10000, 11999, false},
		{3, 12081, 13000, 13999, 19999, true},
	} {
		state, _ := newState(t, 20_000, c.prefixSize)
		s := &store{plan: &plan{settings: settings{MaxKey: 20_000}}, state: state}
		if got := s.sharePrefix(table(c.first, c.last), table(c.from, c.to)); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestCorruptFiltersBelowDeletedRanges: no lookup comes to a table of which a deleted range above covers
// all keys, and so none reports it. If one key is not covered, one must.
func TestCorruptFiltersBelowDeletedRanges(t *testing.T) {
	for _, c := range []struct {
		lo, hi   int
		reported bool
	}{
		{9, 13, false},
		{10, 12, false},
		{9, 11, true}, // key 11 is left
		{11, 20, true},
		{12, 20, true},
	} {
		s := opened(t, 100, 0, "simdbloom.Bloom:10", sound)
		s.put(t, 10, 11)
		s.delete(t, c.lo, c.hi) // which stays in the log
		s.close(t)
		blocks, err := damage(s.plan.Store, comparer(0), false, generator(5, 5))
		if err != nil || len(blocks) != 1 {
			t.Fatalf("%d blocks, %v", len(blocks), err)
		}
		s.plan.Look, s.plan.Corrupt = true, []string{blocks[0].table()}
		s.open(t, sound, func(pebble.DataCorruptionInfo) {})
		err = s.readCorrupt(func(string) bool { return false })
		if got := s.tally[reported].Load() > 0; got != c.reported || (err != nil) != c.reported {
			t.Errorf("keys %d up to %d deleted: reported: %v, %v", c.lo, c.hi, got, err)
		}
	}
}

// TestKeysOfATable: the end of a deleted range is none of its keys.
func TestKeysOfATable(t *testing.T) {
	s := opened(t, 100, 0, "none", sound)
	defer s.NewSnapshot().Close() // or a compaction could drop the deletion
	s.delete(t, 10, 20)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	levels, err := s.SSTables()
	tables := slices.Concat(levels...)
	if err != nil || len(tables) != 1 {
		t.Fatalf("%v, %v", levels, err)
	}
	if first, last := keysOf(tables[0]); first != 10 || last != 19 {
		t.Errorf("%d to %d", first, last)
	}
}
