package main

import (
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bench/internal/store"
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
	t.begin(key)
	value, closer, err := t.get(key)
	t.end(key, err == nil)
	switch {
	case err == nil:
		size = int64(len(key) + len(value))
		err = closer.Close()
	case errors.Is(err, pebble.ErrNotFound):
		err = nil
	}
	return size, err
}

func (t *thread) get(key []byte) ([]byte, io.Closer, error) {
	if t.settings.l6Filters {
		return store.Get(t.db.DB, key)
	}
	return t.db.Get(key)
}

// begin begins a point lookup.
func (t *thread) begin(key []byte) {
	if t.keys.prefix > 0 {
		t.db.counters.BeginLookup(t.db.split.Prefix(key))
	}
}

// end counts a point lookup.
func (t *thread) end(key []byte, found bool) {
	t.stats.looked++
	if found {
		t.stats.found++
	}
	if t.keys.prefix > 0 {
		t.db.counters.EndLookup(t.db.split.Prefix(key), found && t.countsFound())
	} else if found && t.countsFound() {
		t.db.counters.Found(key)
	}
}

// countsFound reports whether what is found is a true positive of the tables' filters. Without -l6_filters it is
// unknown whether a filter was queried.
func (t *thread) countsFound() bool { return t.settings.filtered() && t.settings.l6Filters }

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
	found := make([]bool, len(batch))
	for _, key := range batch {
		t.begin(key)
	}
	err = simdbloom.GetMany(t.db.DB, batch, func(i int, value []byte) error {
		found[i] = true
		size += int64(len(batch[i]) + len(value))
		return nil
	})
	for i, key := range batch {
		t.end(key, found[i])
	}
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
