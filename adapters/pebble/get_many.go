package pebble

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// GetMany looks up keys through one iterator, which uses the filters of all levels. It calls
// each for every key that r has, with its index in keys and its value. For absent keys each
// is not called. It is the fastest way to look up more than a few keys, some of which are absent: [Get] and r.Get open
// the store's tables anew for each key. If nearly all are present, and in tables of L0, r.Get can be a little faster:
// it ends at the first table with the key. docs/pebble.md has times.
//
// Keys may be in any order, and occur more than once. The calls are in ascending order of the
// keys' bytes, in which it also reads the tables. A value is valid during its call, and must not be
// changed.
//
// GetMany ends with the first error of each, or of Pebble, and returns it. Keys that r
// does not have are no error. r is a DB, a Snapshot, or an indexed Batch. A Snapshot shows all keys as they
// were at one time. Concurrent calls are allowed where r.Get allows them. Keys and Comparers are
// as for [Get].
func GetMany(r pebble.Reader, keys [][]byte, each func(i int, value []byte) error) (err error) {
	if len(keys) == 0 {
		return nil
	}
	iter, err := newIter(r, nil)
	if err != nil {
		return err
	}
	defer func() {
		if closing := iter.Close(); err == nil {
			err = closing
		}
	}()
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(bytes.Compare(keys[i], keys[j]), cmp.Compare(i, j)) })
	for _, i := range order {
		iter.SetBounds(keys[i], nil)
		value, err := find(r, iter, keys[i])
		if err == pebble.ErrNotFound {
			continue
		}
		if err == nil {
			err = each(i, value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
