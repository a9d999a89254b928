package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

// reference is a store without filters, filled by ordinary writes, flushes and compactions.
// The stores that are measured have its tables, written again with their filters, at the
// same levels: otherwise timing decides which keys are in which table, and so how many
// filters a lookup queries.
type reference struct {
	dir    string
	levels [][]string // paths of the tables
}

func newReference(s *settings, dir string, bar *progress.Bar) (*reference, error) {
	ref := &reference{dir: filepath.Join(dir, "reference")}
	if err := ref.fill(s, bar); err != nil {
		return nil, err
	}
	o := options(s, vfs.Default, nil)
	defer o.Cache.Unref()
	o.ReadOnly = true
	db, err := pebble.Open(ref.dir, o)
	if err != nil {
		return nil, err
	}
	levels, err := db.SSTables()
	for _, tables := range levels {
		var paths []string
		for _, table := range tables {
			paths = append(paths, filepath.Join(ref.dir, fmt.Sprintf("%06d.sst", uint64(table.FileNum))))
		}
		ref.levels = append(ref.levels, paths)
	}
	if closing := db.Close(); err == nil {
		err = closing
	}
	return ref, err
}

// fill writes all keys, and waits until nothing is left to compact.
func (ref *reference) fill(s *settings, bar *progress.Bar) (err error) {
	o := options(s, vfs.Default, nil)
	defer o.Cache.Unref()
	o.DisableAutomaticCompactions = false
	db, err := pebble.Open(ref.dir, o)
	if err != nil {
		return err
	}
	defer func() {
		if closing := db.Close(); err == nil {
			err = closing
		}
	}()
	var key, value []byte
	for i := range s.keys {
		key, value = appendKey(key[:0], i), appendValue(value[:0], i, s.valueBytes)
		if err := db.Set(key, value, pebble.NoSync); err != nil {
			return err
		}
		if i%1000 == 999 {
			bar.Add(1)
		}
	}
	if err := db.Flush(); err != nil {
		return err
	}
	for quiet := 0; quiet < 5; quiet++ {
		time.Sleep(100 * time.Millisecond)
		if db.Metrics().Compact.NumInProgress > 0 {
			quiet = 0
		}
	}
	return nil
}

// copyTo puts the reference's tables into an empty store, from the last level up: each is
// ingested into the lowest level in which it overlaps with no other.
func (ref *reference) copyTo(db *pebble.DB, o *pebble.Options, bar *progress.Bar) error {
	for level := len(ref.levels) - 1; level >= 0; level-- {
		var copies []string
		for _, path := range ref.levels[level] {
			written := path + ".copy"
			if err := copyTable(path, written, o, level, db.TableFormat(), bar); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			copies = append(copies, written)
		}
		if len(copies) == 0 {
			continue
		}
		if err := db.Ingest(context.Background(), copies); err != nil {
			return err
		}
	}
	return nil
}

func copyTable(from, to string, o *pebble.Options, level int, format sstable.TableFormat, bar *progress.Bar) (err error) {
	file, err := vfs.Default.Open(from)
	if err != nil {
		return err
	}
	readable, err := sstable.NewSimpleReadable(file)
	if err != nil {
		return err
	}
	reader, err := sstable.NewReader(context.Background(), readable, o.MakeReaderOptions())
	if err != nil {
		return err
	}
	defer reader.Close()
	iter, err := reader.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if err != nil {
		return err
	}
	defer iter.Close()
	created, err := vfs.Default.Create(to, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	writer := sstable.NewWriter(objstorageprovider.NewFileWritable(created), o.MakeWriterOptions(level, format))
	n := 0
	for kv := iter.First(); kv != nil; kv = iter.Next() {
		value, _, err := kv.Value(nil)
		if err == nil {
			err = writer.Set(kv.K.UserKey, value)
		}
		if err != nil {
			return err
		}
		n++
	}
	bar.Add(n / 1000)
	if err := iter.Error(); err != nil {
		return err
	}
	return writer.Close()
}
