package store

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2"
)

// Get is r.Get by an iterator, which uses the filters of L6. No key may end in a zero byte, which Pebble could find
// although a range with it was deleted.
func Get(r pebble.Reader, key []byte) (value []byte, closer io.Closer, err error) {
	iter, err := r.NewIter(&pebble.IterOptions{UseL6Filters: true, LowerBound: key})
	if err != nil {
		return nil, nil, err
	}
	if iter.SeekPrefixGE(key) && bytes.Equal(iter.Key(), key) {
		if value, err = iter.ValueAndErr(); err == nil {
			return value, iter, nil
		}
	}
	return nil, nil, cmp.Or(errors.Join(err, iter.Error(), iter.Close()), pebble.ErrNotFound)
}
