package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/store"
)

// filtered is a Pebble store whose tables have one kind of filter.
type filtered struct {
	*pebble.DB
	fs       *store.CountingFS
	counters *simdbloom.Counters
	report   *storeReport
}

// storeReport is what a store is, and what was measured of it.
type storeReport struct {
	Filter       string  `json:"filter"`
	WriteSeconds float64 `json:"write_seconds"` // of all tables, and their filters
	*store.Description
	Lookups []*getsReport `json:"lookups"`
}

// options are the same for all stores: tables and levels are small enough for several of
// each. Filled stores are not compacted any more.
func options(s *settings, fs vfs.FS, policy pebble.FilterPolicy) *pebble.Options {
	o := store.Shape{
		CacheBytes:    int64(s.cacheMiB) << 20,
		MemTableBytes: 16 << 20, MemTables: 4,
		TableBytes: 8 << 20, LBaseBytes: 16 << 20, L0Threshold: 2,
	}.Options(fs, policy)
	o.DisableAutomaticCompactions = true
	if s.shape != filled {
		o.L0StopWritesThreshold = 2 * tablesInL0
	}
	return o
}

// newStore makes a store with filters: of the reference's tables, or written in its shape.
func newStore(ctx context.Context, s *settings, ref store.Tables, dir string, f filter, bar *progress.Bar) (*filtered, error) {
	st := &filtered{fs: &store.CountingFS{FS: vfs.Default}, counters: new(simdbloom.Counters), report: &storeReport{Filter: f.name}}
	policy := f.policy
	if policy != nil {
		policy = simdbloom.Counted(policy, st.counters)
	}
	o := options(s, st.fs, policy)
	defer o.Cache.Unref()
	var err error
	dir = filepath.Join(dir, f.name)
	if st.DB, err = pebble.Open(dir, o); err != nil {
		return nil, err
	}
	begun := time.Now()
	if s.shape == filled {
		err = ref.Rewrite(st.DB, o, dir, func(keys int) error {
			bar.Add(keys / 1000)
			return context.Cause(ctx)
		})
	} else {
		err = write(ctx, s, st.DB, bar)
	}
	st.report.WriteSeconds = time.Since(begun).Seconds()
	if err == nil {
		st.report.Description, err = store.Describe(st.DB)
	}
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	st.fs.Know(st.report.Description)
	return st, nil
}
