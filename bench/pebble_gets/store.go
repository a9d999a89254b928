package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

// store is a Pebble store whose tables have one kind of filter.
type store struct {
	*pebble.DB
	fs       *countingFS
	counters *simdbloom.Counters
	report   *storeReport
}

// storeReport is what a store is, and what was measured of it.
type storeReport struct {
	Filter      string        `json:"filter"`
	FillSeconds float64       `json:"fill_seconds"` // with all compactions
	Levels      []levelReport `json:"levels"`
	FilterBytes uint64        `json:"filter_bytes"`
	TableBytes  uint64        `json:"table_bytes"`
	Lookups     []*getsReport `json:"lookups"`
}

// levelReport is a level's tables and their keys.
type levelReport struct {
	Level  int    `json:"level"`
	Tables int    `json:"tables"`
	Keys   uint64 `json:"keys"`
}

// options are the same for all stores: small enough tables and levels that there are several
// of each. To ask a store that is full, it is not compacted any more.
func options(s *settings, fs vfs.FS, policy pebble.FilterPolicy, full bool) *pebble.Options {
	o := &pebble.Options{
		FS: fs, Logger: silent{}, FormatMajorVersion: pebble.FormatNewest,
		Cache: pebble.NewCache(int64(s.cacheMiB) << 20), MaxOpenFiles: 10_000,
		MemTableSize: 16 << 20, MemTableStopWritesThreshold: 4,
		LBaseMaxBytes: 16 << 20, L0CompactionThreshold: 2,
		DisableAutomaticCompactions: full,
	}
	for i := range o.TargetFileSizes {
		o.TargetFileSizes[i] = 8 << 20
	}
	if policy != nil {
		for i := range o.Levels {
			o.Levels[i].FilterPolicy = policy
		}
	}
	return o
}

// silent drops what is no error.
type silent struct{}

func (silent) Infof(string, ...any) {}

func (silent) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (s silent) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	os.Exit(1)
}

// fill makes a store of all keys below dir, and opens it again to be asked.
func fill(s *settings, dir string, f filter, bar *progress.Bar) (*store, error) {
	dir = filepath.Join(dir, f.name)
	report := &storeReport{Filter: f.name}
	begun := time.Now()
	if err := write(s, dir, f, bar); err != nil {
		return nil, err
	}
	report.FillSeconds = time.Since(begun).Seconds()

	st := &store{fs: &countingFS{FS: vfs.Default}, counters: new(simdbloom.Counters), report: report}
	policy := f.policy
	if policy != nil {
		policy = simdbloom.Counted(policy, st.counters)
	}
	o := options(s, st.fs, policy, true)
	defer o.Cache.Unref()
	var err error
	if st.DB, err = pebble.Open(dir, o); err != nil {
		return nil, err
	}
	return st, st.describe()
}

// write fills a store, waits until nothing is left to compact, and closes it.
func write(s *settings, dir string, f filter, bar *progress.Bar) (err error) {
	o := options(s, vfs.Default, f.policy, false)
	defer o.Cache.Unref()
	db, err := pebble.Open(dir, o)
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
	for quiet := 0; quiet < 5; {
		time.Sleep(100 * time.Millisecond)
		if quiet++; db.Metrics().Compact.NumInProgress > 0 {
			quiet = 0
		}
	}
	return nil
}

func (st *store) describe() error {
	levels, err := st.SSTables(pebble.WithProperties())
	if err != nil {
		return err
	}
	for i, tables := range levels {
		level := levelReport{Level: i, Tables: len(tables)}
		for _, table := range tables {
			level.Keys += table.Properties.NumEntries
			st.report.FilterBytes += table.Properties.FilterSize
			st.report.TableBytes += table.Size
		}
		if level.Tables > 0 {
			st.report.Levels = append(st.report.Levels, level)
		}
	}
	return nil
}
