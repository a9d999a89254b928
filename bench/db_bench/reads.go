package main

import (
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// readRandom looks random keys up, one by one.
func readRandom(t *thread) error {
	key := make([]byte, t.keys.size)
	for t.take(1) > 0 {
		size, err := t.read(t.randomKey(key))
		if err != nil {
			return err
		}
		t.did(1, size)
	}
	return nil
}

// read looks a key up, and returns the bytes of the key and its value, or 0 if it is absent.
func (t *thread) read(key []byte) (size int64, err error) {
	value, closer, err := t.get(key)
	t.stats.looked++
	switch {
	case err == nil:
		size = int64(len(key) + len(value))
		t.found(key)
		err = closer.Close()
	case errors.Is(err, pebble.ErrNotFound):
		err = nil
	}
	return size, err
}

func (t *thread) get(key []byte) ([]byte, io.Closer, error) {
	if t.settings.l6Filters {
		return simdbloom.Get(t.db.DB, key)
	}
	return t.db.Get(key)
}

// found counts a key that was found.
func (t *thread) found(key []byte) {
	t.stats.found++
	t.filtersWereRight(key)
}

// filtersWereRight counts a true positive of the tables' filters. Without -l6_filters it is
// unknown whether a filter was queried.
func (t *thread) filtersWereRight(key []byte) {
	if t.settings.filtered() && t.settings.l6Filters {
		t.db.counters.Found(key)
	}
}

// readMany looks random keys up, a batch at once.
func readMany(t *thread) error {
	keys := make([][]byte, t.batch)
	for i := range keys {
		keys[i] = make([]byte, t.keys.size)
	}
	for n := t.take(t.batch); n > 0; n = t.take(t.batch) {
		batch := keys[:n]
		for _, key := range batch {
			t.randomKey(key)
		}
		size, err := t.readBatch(batch)
		if err != nil {
			return err
		}
		t.did(n, size)
	}
	return nil
}

func (t *thread) readBatch(batch [][]byte) (size int64, err error) {
	if !t.settings.l6Filters {
		for _, key := range batch {
			more, err := t.read(key)
			if err != nil {
				return 0, err
			}
			size += more
		}
		return size, nil
	}
	t.stats.looked += int64(len(batch))
	err = simdbloom.GetMany(t.db.DB, batch, func(i int, value []byte) error {
		t.found(batch[i])
		size += int64(len(batch[i]) + len(value))
		return nil
	})
	return size, err
}

// readInOrder reads keys from the first on.
func readInOrder(t *thread) (err error) {
	iter, err := t.db.NewIter(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, iter.Close()) }()
	for valid := iter.First(); valid && t.take(1) > 0; valid = iter.Next() {
		value, err := iter.ValueAndErr()
		if err != nil {
			return err
		}
		t.did(1, int64(len(iter.Key())+len(value)))
	}
	return iter.Error()
}
