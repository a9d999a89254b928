package main

import (
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// readCorrupt looks up keys of each corrupt table until Pebble has reported it, and returns an error
// about one that it did not, though it must have read the filter.
func (s *store) readCorrupt(hasReported func(table string) bool) error {
	levels, err := s.SSTables()
	if err != nil {
		return err
	}
	corrupt := slices.DeleteFunc(slices.Concat(levels...), func(table pebble.SSTableInfo) bool {
		return !slices.Contains(s.plan.Corrupt, tableName(table)) // or what a killed compaction left
	})
	for j, table := range corrupt {
		first, last := keysOf(table)
		for i := first; i <= last && !hasReported(tableName(table)); i++ {
			_, err := s.found(bothGets[1], min(i, s.plan.MaxKey-1))
			if s.tolerable(err) != nil {
				return err
			}
			if err != nil {
				break // about this table or another, and it would be the same again
			}
		}
		// The error about another table ends a lookup before it comes to this one.
		others := slices.Delete(slices.Clone(corrupt), j, j+1)
		if !hasReported(tableName(table)) && !slices.ContainsFunc(others, func(other pebble.SSTableInfo) bool {
			return s.sharePrefix(table, other)
		}) {
			return fmt.Errorf("the filter of table %s is corrupt, and no lookup of keys %d to %d reported it", tableName(table), first, last)
		}
	}
	return nil
}

// sharePrefix reports whether two tables may have keys of one prefix, so that a lookup in one may query
// the filter of the other: a level's filter is queried if its next key, at or after the one looked up,
// has the same prefix.
func (s *store) sharePrefix(a, b pebble.SSTableInfo) bool {
	first, last := keysOf(a)
	from, to := keysOf(b)
	_, first, _ = s.prefixGroup(first)
	_, _, end := s.prefixGroup(last)
	return from < end && first <= to
}

// keysOf returns the numbers of a table's first and last keys. The last may be the end of a deleted range.
func keysOf(table pebble.SSTableInfo) (first, last int) {
	return keyNumber(table.Smallest.UserKey), keyNumber(table.Largest.UserKey)
}
