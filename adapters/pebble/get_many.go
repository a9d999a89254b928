package pebble

import (
	"bytes"
	"cmp"
	"io"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// GetMany looks up keys, and calls each for every key that r has, with its index in keys and its value. For absent keys
// each is not called. Many keys are looked up through one iterator, which uses the filters of all levels: [Get] and
// r.Get open the store's tables anew for each key. Up to 15 keys are looked up by r.Get until one is absent. So GetMany
// is hardly slower than r.Get anywhere, and takes down to a quarter of its time: docs/pebble.md has times.
//
// Keys may be in any order, and occur more than once. The calls are in ascending order of the
// keys' bytes, in which it also reads the tables. A value is valid during its call, and must not be
// changed.
//
// GetMany ends with the first error of each, or of Pebble, and returns it. Keys that r
// does not have are no error. r is a DB, a Snapshot, or an indexed Batch, whose keys are all looked up through one
// iterator. All keys are seen as they were at one time, as a Snapshot shows them. Concurrent calls are allowed where
// r.Get allows them. Keys and Comparers are as for [Get].
func GetMany(r pebble.Reader, keys [][]byte, each func(i int, value []byte) error) (err error) {
	if len(keys) == 0 {
		return nil
	}
	if _, is := r.(*pebble.EventuallyFileOnlySnapshot); is {
		return errFileOnly
	}
	var room [fewestTogether]int
	order := room[:0]
	for i := range keys {
		order = append(order, i)
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(bytes.Compare(keys[i], keys[j]), cmp.Compare(i, j)) })
	if len(keys) < fewestTogether {
		switch db := r.(type) {
		case *pebble.DB:
			if len(keys) > 1 {
				snapshot := db.NewSnapshot()
				defer closeAfter(snapshot, &err)
				r = snapshot
			}
			order, err = getUntilAbsent(r, keys, order, each)
		case *pebble.Snapshot:
			order, err = getUntilAbsent(r, keys, order, each)
		}
		if err != nil || len(order) == 0 {
			return err
		}
	}
	iter, err := newIter(r, nil)
	if err != nil {
		return err
	}
	defer closeAfter(iter, &err)
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

// An iterator visits all tables that may have a key, r.Get ends at the first that has it. Times of an iterator for n
// present keys, as multiples of r.Get's (FastLocal, all in the cache, Emerald Rapids):
//
//	tables           1     2     5    10    30
//	64 in L0, L6   2.7   1.7  1.02   .82   .70
//	 8 in L0, L6   2.2   1.6   1.2   1.1   .98
//	L6             1.4   1.1   .91   .81   .79
//
// One absent key takes .3 to 1.8, five take .3 to .5. So after an absent key an iterator is faster for the rest, if
// that is at least leastRest keys.
const (
	fewestTogether = 16
	leastRest      = 3
)

// getUntilAbsent looks up keys by r.Get until one of them is absent and an iterator is faster for the rest, which it
// returns.
func getUntilAbsent(r pebble.Reader, keys [][]byte, order []int, each func(i int, value []byte) error) (rest []int, err error) {
	for at, i := range order {
		value, closer, err := r.Get(keys[i])
		if err == pebble.ErrNotFound {
			if rest := order[at+1:]; len(rest) >= leastRest {
				return rest, nil
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if iter, is := closer.(*pebble.Iterator); is { // if a block of values cannot be read, Get's value is empty
			value, err = iter.ValueAndErr()
		}
		if err == nil {
			err = each(i, value)
		}
		closeAfter(closer, &err)
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// closeAfter closes something, whose error becomes *err unless there is one.
func closeAfter(c io.Closer, err *error) {
	if closing := c.Close(); *err == nil {
		*err = closing
	}
}
