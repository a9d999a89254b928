package pebble

import (
	"bytes"
	"io"

	"github.com/cockroachdb/pebble/v2"
)

// Get is r.Get, but it asks the filters of L6 too, which Pebble's own Get never does: in a
// store whose tables are mostly there it saves a data block for every absent key. It makes
// an iterator for that, so where most keys are present, or all blocks in the cache, r.Get
// is faster; for many keys at one moment, one iterator with UseL6Filters and its
// SeekPrefixGE are. r is a DB, a Snapshot, or an indexed Batch.
//
// On success closer must be closed; the value must not be changed, and is good until then.
// An absent key gives pebble.ErrNotFound. A key is found as the very bytes it was written
// with, also where the store's Comparer takes others for equal.
func Get(r pebble.Reader, key []byte) (value []byte, closer io.Closer, err error) {
	iter, err := r.NewIter(&pebble.IterOptions{UseL6Filters: true})
	if err != nil {
		return nil, nil, err
	}
	if iter.SeekPrefixGE(key) && bytes.Equal(iter.Key(), key) {
		if value, err = iter.ValueAndErr(); err == nil {
			return value, iter, nil
		}
	}
	if closing := iter.Close(); err == nil {
		err = closing // what the seek met, too
	}
	if err == nil {
		err = pebble.ErrNotFound
	}
	return nil, nil, err
}
