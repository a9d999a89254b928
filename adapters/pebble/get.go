package pebble

import (
	"bytes"
	"errors"
	"io"
	"runtime"

	"github.com/cockroachdb/pebble/v2"
)

// Get is r.Get, but it also uses the filters of L6, which Pebble's own Get never does. So an
// absent key costs no data block in L6, where most tables are. r is a DB, a Snapshot, or an
// indexed Batch. Concurrent calls are allowed where r.Get allows them.
//
// Get is not always faster. It opens an iterator, which visits every sublevel of L0 and
// every level. r.Get ends at the first that has the key, and looks it up in L6 without a filter. So Get is
// faster for absent keys where L6's blocks have to be read, and r.Get is faster for present
// keys, and for all keys while L0 has tens of sublevels: docs/pebble.md has times. [GetMany] is
// faster than both for more than a few keys, some of which are absent.
//
// On success closer must be closed. The value is valid until then, and must not be changed.
// For an absent key the error is pebble.ErrNotFound. A key is found only by the bytes that it
// was written with, even if others are equal for the store's Comparer. A Comparer without an
// ImmediateSuccessor is an error once Pebble needs it, for a table with a range deletion. An
// EventuallyFileOnlySnapshot is an error: an iterator of one finds keys of deleted ranges.
func Get(r pebble.Reader, key []byte) (value []byte, closer io.Closer, err error) {
	iter, err := newIter(r, key)
	if err != nil {
		return nil, nil, err
	}
	if value, err = find(r, iter, key); err == nil {
		return value, iter, nil
	}
	if closing := iter.Close(); closing != nil && err == pebble.ErrNotFound {
		err = closing
	}
	return nil, nil, err
}

// newIter returns an iterator that uses the filters of all levels.
func newIter(r pebble.Reader, lower []byte) (*pebble.Iterator, error) {
	if _, is := r.(*pebble.EventuallyFileOnlySnapshot); is {
		return nil, errFileOnly
	}
	return r.NewIter(&pebble.IterOptions{UseL6Filters: true, LowerBound: lower})
}

var errFileOnly = errors.New("pebble: Get and GetMany cannot read an EventuallyFileOnlySnapshot, whose iterators find keys of deleted ranges: use its Get")

// find returns the value of key, which is iter's and valid until that moves. iter's lower bound is key.
//
// The bound is there because of deleted ranges. Iterating over a prefix, Pebble (v2.1.7) cuts
// them off at the prefix's ImmediateSuccessor. The default one is prefix + "\x00", which is
// before most keys of the prefix: they can be found although they are deleted. With the bound, only the
// key prefix + "\x00" itself can. Any key with that last byte may be one, so iter looks for it again without a
// prefix. (r.Get would do, but Pebble's returns an empty value, and no error, if it cannot read a block of values.)
func find(r pebble.Reader, iter *pebble.Iterator, key []byte) (value []byte, err error) {
	found := true
	if len(key) > 0 { // Pebble does not iterate over an empty prefix
		found, err = seek(r, iter, key)
	}
	if found && err == nil && (len(key) == 0 || key[len(key)-1] == 0) {
		found = iter.SeekGE(key) && bytes.Equal(iter.Key(), key)
		err = iter.Error()
	}
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, pebble.ErrNotFound
	}
	return iter.ValueAndErr()
}

// seek moves iter to key, and reports whether it is there. Without an ImmediateSuccessor Pebble dereferences
// nil in a table with a range deletion, which becomes an error.
func seek(r pebble.Reader, iter *pebble.Iterator, key []byte) (found bool, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			if _, ok := fault.(runtime.Error); !ok || hasImmediateSuccessor(r, key) {
				panic(fault)
			}
			err = errNoSuccessor
		}
	}()
	found = iter.SeekPrefixGE(key) && bytes.Equal(iter.Key(), key)
	return found, iter.Error()
}

var errNoSuccessor = errors.New("pebble: the store's Comparer has no ImmediateSuccessor, " +
	"which Pebble needs to look up a key by filters where a table has a range deletion")

// hasImmediateSuccessor reports whether r's Comparer has one. Without, iterators with range keys
// refuse to seek a prefix.
func hasImmediateSuccessor(r pebble.Reader, key []byte) (has bool) {
	iter, err := r.NewIter(&pebble.IterOptions{KeyTypes: pebble.IterKeyTypeRangesOnly})
	if err != nil {
		return true
	}
	defer iter.Close()
	defer func() { has = recover() == nil }()
	iter.SeekPrefixGE(key)
	return true
}
