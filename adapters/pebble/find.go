package pebble

import (
	"bytes"
	"errors"
	"runtime"

	"github.com/cockroachdb/pebble/v2"
)

var errFileOnly = errors.New("pebble: GetMany cannot read an EventuallyFileOnlySnapshot, whose iterators find keys of deleted ranges: use its Get")

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
