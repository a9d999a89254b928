package main

import (
	"errors"
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
	Filter       string        `json:"filter"`
	WriteSeconds float64       `json:"write_seconds"` // of all tables, and their filters
	Levels       []levelReport `json:"levels"`
	FilterBytes  uint64        `json:"filter_bytes"`
	TableBytes   uint64        `json:"table_bytes"`
	Lookups      []*getsReport `json:"lookups"`
}

// levelReport is a level's tables and their keys.
type levelReport struct {
	Level  int    `json:"level"`
	Tables int    `json:"tables"`
	Keys   uint64 `json:"keys"`
}

// options are the same for all stores: tables and levels are small enough for several of
// each. Filled stores are not compacted any more.
func options(s *settings, fs vfs.FS, policy pebble.FilterPolicy) *pebble.Options {
	o := &pebble.Options{
		FS: fs, Logger: silent{}, FormatMajorVersion: pebble.FormatNewest,
		Cache: pebble.NewCache(int64(s.cacheMiB) << 20), MaxOpenFiles: 10_000,
		MemTableSize: 16 << 20, MemTableStopWritesThreshold: 4,
		LBaseMaxBytes: 16 << 20, L0CompactionThreshold: 2,
		DisableAutomaticCompactions: true,
	}
	for i := range o.TargetFileSizes {
		o.TargetFileSizes[i] = 8 << 20
	}
	if policy != nil {
		for i := range o.Levels {
			o.Levels[i].FilterPolicy = policy
		}
	}
	o.EnsureDefaults() // for who writes tables
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

// newStore makes a store of the reference's tables, with filters.
func newStore(s *settings, ref *reference, dir string, f filter, bar *progress.Bar) (*store, error) {
	st := &store{fs: &countingFS{FS: vfs.Default}, counters: new(simdbloom.Counters), report: &storeReport{Filter: f.name}}
	policy := f.policy
	if policy != nil {
		policy = simdbloom.Counted(policy, st.counters)
	}
	o := options(s, st.fs, policy)
	defer o.Cache.Unref()
	var err error
	if st.DB, err = pebble.Open(filepath.Join(dir, f.name), o); err != nil {
		return nil, err
	}
	begun := time.Now()
	err = ref.copyTo(st.DB, o, bar)
	st.report.WriteSeconds = time.Since(begun).Seconds()
	if err == nil {
		err = st.describe()
	}
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

func (st *store) describe() error {
	levels, err := st.SSTables(pebble.WithProperties())
	if err != nil {
		return err
	}
	dataBytes := make(map[string]uint64)
	for i, tables := range levels {
		level := levelReport{Level: i, Tables: len(tables)}
		for _, table := range tables {
			level.Keys += table.Properties.NumEntries
			st.report.FilterBytes += table.Properties.FilterSize
			st.report.TableBytes += table.Size
			dataBytes[fmt.Sprintf("%06d.sst", uint64(table.FileNum))] = table.Properties.DataSize
		}
		if level.Tables > 0 {
			st.report.Levels = append(st.report.Levels, level)
		}
	}
	st.fs.dataBytes.Store(&dataBytes)
	return nil
}
