package main

import (
	"bytes"
	"errors"

	"github.com/cockroachdb/pebble/v2"
)

// seekRandom seeks random keys, with an iterator for each, and moves on from there.
func seekRandom(t *thread) error {
	key := make([]byte, t.keys.size)
	for t.take(1) > 0 {
		t.randomKey(key)
		if t.settings.seekMissingPrefix {
			key[8] = '1' // the padding of a prefix is '0'
		}
		size, err := t.seek(key)
		if err != nil {
			return err
		}
		t.did(1, size)
	}
	return nil
}

func (t *thread) seek(key []byte) (size int64, err error) {
	inPrefix := t.settings.prefixSize > 0
	iter, err := t.db.NewIter(&pebble.IterOptions{UseL6Filters: inPrefix && t.settings.l6Filters})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, iter.Close()) }()
	t.stats.looked++
	seek := iter.SeekGE
	if inPrefix {
		seek = iter.SeekPrefixGE
	}
	valid := seek(key)
	if valid && bytes.Equal(iter.Key(), key) {
		t.stats.found++
	}
	if valid && inPrefix && t.countsFound() {
		t.db.counters.FoundSeek(key)
	}
	for i := 0; i < t.settings.seekNexts && valid; i++ {
		value, err := iter.ValueAndErr()
		if err != nil {
			return 0, err
		}
		size += int64(len(iter.Key()) + len(value))
		valid = iter.Next()
	}
	return size, iter.Error()
}
