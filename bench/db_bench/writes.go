package main

import "github.com/cockroachdb/pebble/v2"

// writeInOrder writes the keys 0, 1, 2 …
func writeInOrder(t *thread) error {
	next := int64(-1)
	return t.write(func() int64 { next++; return next })
}

// writeRandom writes random keys.
func writeRandom(t *thread) error {
	return t.write(func() int64 { return t.random.Int64N(t.settings.num) })
}

// writeMeanwhile writes random keys until all other threads are done.
func writeMeanwhile(t *thread) error {
	key := make([]byte, t.keys.size)
	for t.readers.Load() > 0 && !t.stopped.Load() {
		if err := t.db.Set(t.randomKey(key), t.values.next(t.settings.valueSize), t.writeOptions()); err != nil {
			return err
		}
	}
	return nil
}

// write writes keys of the given numbers, in batches.
func (t *thread) write(number func() int64) error {
	key := make([]byte, t.keys.size)
	return t.commit(func(b *pebble.Batch) (bytes int64, err error) {
		value := t.values.next(t.settings.valueSize)
		return int64(len(key) + len(value)), b.Set(t.keys.key(key, number()), value, nil)
	})
}

// deleteRandom deletes random keys, in batches.
func deleteRandom(t *thread) error {
	key := make([]byte, t.keys.size)
	return t.commit(func(b *pebble.Batch) (bytes int64, err error) {
		return 0, b.Delete(t.randomKey(key), nil)
	})
}

// commit fills batches and commits them until the thread's operations are done.
func (t *thread) commit(add func(b *pebble.Batch) (bytes int64, err error)) error {
	for n := t.take(t.batch); n > 0; n = t.take(t.batch) {
		b := t.db.NewBatch()
		var bytes int64
		for range n {
			more, err := add(b)
			if err != nil {
				return err
			}
			bytes += more
		}
		if err := t.db.Apply(b, t.writeOptions()); err != nil {
			return err
		}
		if err := b.Close(); err != nil {
			return err
		}
		t.did(n, bytes)
	}
	return nil
}

func (t *thread) writeOptions() *pebble.WriteOptions {
	if t.settings.sync {
		return pebble.Sync
	}
	return pebble.NoSync
}
