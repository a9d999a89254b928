package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

// fillLevels ingests tables into L6 to L3, each over all keys: a Get of an absent key queries a filter in every level.
// Pebble ingests into the lowest level without overlap, but not above its base level.
func fillLevels(ctx context.Context, r *session) error {
	s := r.settings
	o := r.db.options()
	defer o.Cache.Unref()
	o.EnsureDefaults() // for writing tables
	bar := progress.Start(s.stderr, "filllevels", int(s.num))
	defer bar.Done()
	values := newValues(rand.New(rand.NewPCG(uint64(s.seed), 0)), s.valueSize, s.compressionRatio)
	inTable := max(1, s.targetFileSizeBase/int64(s.keySize+s.valueSize))
	step := int64(1)
	for level := 6; level >= 3; level-- {
		var paths []string
		for first := int64(0); first < s.num; first += inTable * step {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			path := filepath.Join(r.db.dir, fmt.Sprintf("%d.new", len(paths)))
			end := min(first+inTable*step, s.num)
			if err := s.writeTable(path, o.MakeWriterOptions(level, r.db.TableFormat()), values, first, end, step); err != nil {
				return err
			}
			bar.Add(int((end - first) / step))
			paths = append(paths, path)
		}
		if err := r.db.Ingest(ctx, paths); err != nil {
			return fmt.Errorf("ingesting tables of L%d: %w", level, err)
		}
		step *= 10
	}
	return nil
}

// writeTable writes a table with the keys of the numbers first, first+step … below end.
func (s *settings) writeTable(path string, o sstable.WriterOptions, values *valueMaker, first, end, step int64) error {
	file, err := vfs.Default.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(file), o)
	keys, key := s.keys(), make([]byte, s.keySize)
	for number := first; number < end && err == nil; number += step {
		err = w.Set(keys.key(key, number), values.next(s.valueSize))
	}
	return errors.Join(err, w.Close())
}
