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
			from, to := keysOf(other)
			return from <= last && first <= to
		}) {
			return fmt.Errorf("the filter of table %s is corrupt, and no lookup of keys %d to %d reported it", tableName(table), first, last)
		}
	}
	return nil
}

// keysOf returns the numbers of a table's first and last keys. The last may be the end of a deleted range.
func keysOf(table pebble.SSTableInfo) (first, last int) {
	return keyNumber(table.Smallest.UserKey), keyNumber(table.Largest.UserKey)
}
