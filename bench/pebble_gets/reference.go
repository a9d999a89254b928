package main

import (
	"context"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/store"
)

// newReference makes a store without filters, filled by ordinary writes, flushes and compactions, and
// returns its tables. The stores that are measured have these tables, written again with their filters,
// at the same levels. Otherwise timing would decide which keys are in which table, and so how many
// filters a lookup queries.
func newReference(ctx context.Context, s *settings, dir string, bar *progress.Bar) (store.Tables, error) {
	dir = filepath.Join(dir, "reference")
	if err := fill(ctx, s, dir, bar); err != nil {
		return nil, err
	}
	o := options(s, vfs.Default, nil)
	defer o.Cache.Unref()
	return store.TablesOf(dir, o)
}

// fill writes all keys, and waits until nothing is left to compact.
func fill(ctx context.Context, s *settings, dir string, bar *progress.Bar) (err error) {
	o := options(s, vfs.Default, nil)
	defer o.Cache.Unref()
	o.DisableAutomaticCompactions = false
	db, err := pebble.Open(dir, o)
	if err != nil {
		return err
	}
	defer func() {
		if closing := db.Close(); err == nil {
			err = closing
		}
	}()
	if err := write(ctx, s, db, bar); err != nil {
		return err
	}
	return store.Settle(ctx, db)
}

// write writes all keys, in tables of the store's shape.
func write(ctx context.Context, s *settings, db *pebble.DB, bar *progress.Bar) error {
	var key, value []byte
	for i := range s.keys {
		key, value = appendKey(key[:0], i), appendValue(value[:0], i, s.valueBytes)
		if err := db.Set(key, value, pebble.NoSync); err != nil {
			return err
		}
		if err := s.shape.after(ctx, db, i+1, s.keys); err != nil {
			return err
		}
		if i%1000 == 999 {
			bar.Add(1)
			if err := context.Cause(ctx); err != nil {
				return err
			}
		}
	}
	return db.Flush()
}
