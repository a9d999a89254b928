package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable/block"

	pebblestore "github.com/simdbloom/simdbloom/bench/internal/store"
)

// readCorrupt looks up keys of each corrupt table until Pebble has reported it, and returns an error
// about one that it did not, though a lookup must have read the filter.
func (s *store) readCorrupt(hasReported func(table string) bool) error {
	levels, err := s.SSTables()
	if err != nil {
		return err
	}
	corrupt := slices.DeleteFunc(slices.Concat(levels...), func(table pebble.SSTableInfo) bool {
		return !slices.Contains(s.plan.Corrupt, pebblestore.TableName(table)) // or what a killed compaction left
	})
	for j, table := range corrupt {
		first, last := keysOf(table)
		for i := first; i <= last && !hasReported(pebblestore.TableName(table)); i++ {
			_, err := s.found(bothGets[1], i)
			if s.tolerable(err) != nil {
				return err
			}
			if err != nil {
				break // about this table or another, and it would be the same again
			}
		}
		// The error about another table ends a lookup before it comes to this one.
		others := slices.Delete(slices.Clone(corrupt), j, j+1)
		if hasReported(pebblestore.TableName(table)) || slices.ContainsFunc(others, func(other pebble.SSTableInfo) bool {
			return s.sharePrefix(table, other)
		}) {
			continue
		}
		deleted, err := s.inDeletedRanges(first, last)
		if err != nil {
			return err
		}
		if !deleted {
			return fmt.Errorf("the filter of table %s is corrupt, and no lookup of keys %d to %d reported it", pebblestore.TableName(table), first, last)
		}
	}
	return nil
}

// inDeletedRanges reports whether deleted ranges cover all keys from first to last. A lookup of a
// covered key ends above the tables that have what was deleted, and does not query their filters.
// Ranges that a table has itself, or one below it, count too: then it is not known which table ends
// the lookup.
func (s *store) inDeletedRanges(first, last int) (bool, error) {
	deleted := make([]bool, last+1-first)
	err := s.ScanInternal(context.Background(), block.CategoryUnknown, appendKey(nil, first), appendKey(nil, last+1), nil,
		func(start, end []byte, _ pebble.SeqNum) error {
			for i := max(first, keyNumber(start)); i <= last && i < keyNumber(end); i++ {
				deleted[i-first] = true
			}
			return nil
		}, nil, nil, nil)
	return !slices.Contains(deleted, false), err
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

// keysOf returns the numbers of the first and the last key that a table has or deletes.
func keysOf(table pebble.SSTableInfo) (first, last int) {
	first, last = keyNumber(table.Smallest.UserKey), keyNumber(table.Largest.UserKey)
	if table.Largest.IsExclusiveSentinel() { // the end of a deleted range, which it does not include
		last--
	}
	return first, last
}
