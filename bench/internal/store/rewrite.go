package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Tables are the files of a closed store's tables, level by level.
type Tables [][]string

// TablesOf returns the tables of the store in dir, which has the given options. It leaves the
// store as it is.
func TablesOf(dir string, o *pebble.Options) (all Tables, err error) {
	o.ReadOnly = true
	db, err := pebble.Open(dir, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	levels, err := db.SSTables()
	for _, tables := range levels {
		var paths []string
		for _, table := range tables {
			paths = append(paths, filepath.Join(dir, TableName(table)))
		}
		all = append(all, paths)
	}
	return all, err
}

// Rewrite puts the tables into an empty store, written again with its options o: with its
// filters. Tables may have keys that are set, and nothing else. It goes from the last level up:
// each table is ingested into the lowest level in which it overlaps with no other. That is the
// level that it had, unless nothing below overlapped with it. New files are in dir, which is on
// the store's file system, before they are ingested. written gets each table's number of keys; its
// error ends the rewriting.
func (t Tables) Rewrite(db *pebble.DB, o *pebble.Options, dir string, written func(keys int) error) error {
	o.EnsureDefaults() // for writing tables
	for level := len(t) - 1; level >= 0; level-- {
		var copies []string
		for _, path := range t[level] {
			name := filepath.Join(dir, filepath.Base(path)+".copy")
			if err := rewriteTable(path, name, o, level, db.TableFormat(), written); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			copies = append(copies, name)
		}
		together := max(1, len(copies))
		if level == 0 {
			together = 1 // these overlap: the oldest goes first
		}
		for some := range slices.Chunk(copies, together) {
			if err := db.Ingest(context.Background(), some); err != nil {
				return fmt.Errorf("ingesting tables of L%d: %w", level, err)
			}
		}
	}
	return nil
}

func rewriteTable(from, to string, o *pebble.Options, level int, format sstable.TableFormat, written func(keys int) error) (err error) {
	reader, err := OpenTable(from, o)
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
	n, err := setAll(writer, iter)
	if err := errors.Join(err, writer.Close()); err != nil {
		return err
	}
	return written(n)
}

// setAll writes all keys of a table, and returns their number.
func setAll(to *sstable.Writer, from sstable.Iterator) (n int, err error) {
	for kv := from.First(); kv != nil; kv = from.Next() {
		if kind := kv.K.Kind(); kind != pebble.InternalKeyKindSet {
			return n, fmt.Errorf("a key is of kind %s, not set", kind)
		}
		value, _, err := kv.Value(nil)
		if err == nil {
			err = to.Set(kv.K.UserKey, value)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, from.Error()
}
