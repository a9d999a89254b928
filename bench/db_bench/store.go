package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bench/internal/store"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// database is the store, which benchmarks that want an empty one make anew.
type database struct {
	*pebble.DB
	settings  *settings
	dir       string
	temporary bool // whether the directory is removed at the end
	fs        *store.CountingFS
	counters  *simdbloom.Counters
	split     pebble.Split
	past      metrics // of the stores that were closed
	cache     *pebble.Cache
	unreserve func() // gives the block cache back the bytes that fitCache took
}

// compressions are those that RocksDB and Pebble have, and Pebble's own.
var compressions = map[string]*sstable.CompressionProfile{
	"none": sstable.NoCompression, "snappy": sstable.SnappyCompression,
	"zstd": sstable.ZstdCompression, "minlz": sstable.MinLZCompression,
}

func compressionNames() []string { return slices.Sorted(maps.Keys(compressions)) }

// openDatabase opens the store, or makes an empty one.
func openDatabase(s *settings) (*database, error) {
	d := &database{settings: s, dir: s.db, fs: &store.CountingFS{FS: vfs.Default, Latency: s.readLatency}, counters: new(simdbloom.Counters)}
	if s.db == "" {
		dir, err := measured.TempDir("db_bench")
		if err != nil {
			return nil, err
		}
		d.dir, d.temporary = dir, true
	} else if !s.useExistingDB {
		switch files, err := os.ReadDir(s.db); {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case len(files) > 0:
			return nil, fmt.Errorf("-db=%s is not empty: remove it, or give -use_existing_db", s.db)
		}
	}
	if err := d.open(); err != nil {
		return nil, errors.Join(err, d.remove())
	}
	return d, nil
}

// options returns the store's options.
func (d *database) options() *pebble.Options {
	s := d.settings
	o := store.Shape{
		CacheBytes: s.cacheSize, CacheRoom: s.memtableRoom(),
		MemTableBytes: uint64(s.writeBufferSize), MemTables: s.maxWriteBufferNumber,
		TableBytes: s.targetFileSizeBase, LBaseBytes: s.maxBytesForLevelBase, L0Threshold: s.level0Trigger,
	}.Options(d.fs, nil)
	o.ErrorIfNotExists = s.useExistingDB
	o.L0StopWritesThreshold = s.level0Stop
	o.DisableAutomaticCompactions = s.disableAutoCompaction
	o.DisableWAL = s.disableWAL
	o.CompactionConcurrencyRange = func() (lower, upper int) { return 1, s.maxBackgroundJobs }
	o.MaxOpenFiles = 1 << 20
	o.Comparer = store.PrefixComparer(s.prefixSize)
	d.split = o.Comparer.Split
	for i := range o.Levels {
		o.Levels[i].BlockSize = s.blockSize
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return compressions[s.compressionType] }
		o.Levels[i].FilterPolicy = s.policies[i]
	}
	if s.filtered() {
		counted := simdbloom.Counted
		if s.prefixSize > 0 {
			counted = simdbloom.CountedPrefixes
		}
		o.Filters = simdbloom.Filters(counted(s.policies[0], d.counters))
	}
	return o
}

func (d *database) open() (err error) {
	o := d.options()
	d.cache, d.unreserve = o.Cache, func() {}
	if d.DB, err = pebble.Open(d.dir, o); err != nil {
		d.cache.Unref()
	}
	return err
}

// memtableRoom is the most that memtables take from the block cache, in bytes: with those that
// wait for their flush, there is one that was flushed and will be used again.
func (s *settings) memtableRoom() int64 {
	return int64(s.maxWriteBufferNumber+1) * s.writeBufferSize
}

// fitCache gives the block cache -cache_size bytes. Pebble subtracts its room for
// memtables from them. While memtables come and go it must keep that room, and may be
// larger than -cache_size.
func (d *database) fitCache(memtablesChange bool) {
	d.unreserve()
	d.unreserve = func() {}
	if memtablesChange {
		return
	}
	used := &d.Metrics().MemTable
	if spare := d.settings.memtableRoom() - int64(used.Size+used.ZombieSize); spare > 0 {
		d.unreserve = d.cache.Reserve(int(spare))
	}
}

// renew replaces the store by an empty one.
func (d *database) renew() error {
	if err := d.close(); err != nil {
		return err
	}
	if err := os.RemoveAll(d.dir); err != nil {
		return err
	}
	return d.open()
}

// close closes the store, and keeps its numbers.
func (d *database) close() error {
	if d.DB == nil {
		return nil
	}
	d.past = d.past.add(metricsOf(d.DB))
	d.unreserve()
	err := d.Close()
	d.DB = nil
	d.cache.Unref()
	return err
}

// finish closes the store, and removes it if it is temporary.
func (d *database) finish() error { return errors.Join(d.close(), d.remove()) }

func (d *database) remove() error {
	if !d.temporary {
		return nil
	}
	return os.RemoveAll(d.dir)
}

// bounds returns the first key, and one above the last; nil for an empty store.
func (d *database) bounds() (first, end []byte, err error) {
	iter, err := d.NewIter(nil)
	if err != nil {
		return nil, nil, err
	}
	if iter.First() {
		first = bytes.Clone(iter.Key())
	}
	if iter.Last() {
		end = append(bytes.Clone(iter.Key()), 0)
	}
	return first, end, iter.Close()
}
