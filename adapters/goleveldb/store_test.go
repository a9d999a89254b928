package goleveldb_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/policy"
)

// written is how many keys the stores of these tests have.
const written = 50_000

// opened is a store on disk whose filters count: the one to write, if there is one, and then
// the alternatives.
type opened struct {
	*leveldb.DB
	filters []*counted
	storage *countedReads
}

// open opens the store in dir with a filter to write, which may be nil, and alternatives.
func open(t *testing.T, dir string, readOnly bool, base int, write filter.Filter, alternatives ...filter.Filter) *opened {
	t.Helper()
	files, err := storage.OpenFile(dir, readOnly)
	check(t, err)
	o := &opened{storage: &countedReads{Storage: files}}
	options := &opt.Options{
		FilterBaseLg: base, ReadOnly: readOnly, NoSync: true, DisableSeeksCompaction: true,
		BlockCacheCapacity: 256 * opt.MiB,
	}
	if write != nil {
		f := &counted{Filter: write}
		o.filters, options.Filter = append(o.filters, f), f
	}
	for _, alternative := range alternatives {
		f := &counted{Filter: alternative}
		o.filters, options.AltFilters = append(o.filters, f), append(options.AltFilters, f)
	}
	o.DB, err = leveldb.Open(o.storage, options)
	check(t, err)
	t.Cleanup(func() { check(t, errors.Join(o.Close(), files.Close())) })
	return o
}

// findAll gets every key by several goroutines.
func (o *opened) findAll(t *testing.T) {
	t.Helper()
	const goroutines = 4
	var finding sync.WaitGroup
	for g := range goroutines {
		finding.Add(1)
		go func() {
			defer finding.Done()
			for i := g; i < written; i += goroutines {
				got, err := o.Get(keys(numbers).present(i), nil)
				if err != nil || !bytes.Equal(got, value(i)) {
					t.Errorf("key %d: %v", i, err)
					return
				}
			}
		}()
	}
	finding.Wait()
}

const absentGets = 5000

// getAbsent gets absent keys, and returns the shares of them for which a filter was queried,
// and for which a data block was read.
func (o *opened) getAbsent(t *testing.T) (queried, read float64) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 8))
	questions := func() (sum int64) {
		for _, f := range o.filters {
			sum += f.queried.Load()
		}
		return sum
	}
	questionsBefore, readsBefore := questions(), o.storage.reads.Load()
	for range absentGets {
		_, err := o.Get(keys(numbers).absent(random.IntN(written-1)), &opt.ReadOptions{DontFillCache: true})
		if !errors.Is(err, leveldb.ErrNotFound) {
			t.Fatalf("an absent key: %v", err)
		}
	}
	return float64(questions()-questionsBefore) / absentGets, float64(o.storage.reads.Load()-readsBefore) / absentGets
}

// expect checks whether filters are queried and save data blocks, and finds every key, which
// brings all blocks into the cache.
func (o *opened) expect(t *testing.T, filtered bool) {
	t.Helper()
	queried, read := o.getAbsent(t)
	if filtered && (queried < 0.99 || read > 0.15) || !filtered && (queried != 0 || read < 0.99) {
		t.Errorf("filters in use: %v, but %.3f were queried and %.3f blocks read for a Get of an absent key", filtered, queried, read)
	}
	o.findAll(t)
}

func TestStoresAfterAChangeOfFilter(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds, and a minute or more with the race detector, for which TestStoreGoesThereAndBack is enough")
	}
	t.Parallel()
	const base = baseLg
	levelDB := filter.NewBloomFilter(10)
	type options struct {
		write        filter.Filter
		alternatives []filter.Filter
		base         int
		filtered     bool
	}
	all := goleveldb.AltFilters()
	for _, before := range []struct {
		name  string
		write filter.Filter
		base  int
		after map[string]options
	}{
		{"FastLocal", goleveldb.FastLocal(10), base, map[string]options{
			"the same":                   {goleveldb.FastLocal(10), nil, base, true},
			"other bits per key":         {goleveldb.FastLocal(16), nil, 11, true},
			"Paired":                     {goleveldb.Paired(23.4), nil, base, false},
			"Paired and alternatives":    {goleveldb.Paired(23.4), all, base, true},
			"LevelDB's and alternatives": {levelDB, all, 0, true},
			"none":                       {nil, nil, 0, false},
			"alternatives only":          {nil, all, 0, true},
		}},
		{"Paired", goleveldb.Paired(23.4), 15, map[string]options{
			"other bits per key":         {goleveldb.Paired(10), nil, 0, true},
			"FastLocal and alternatives": {goleveldb.FastLocal(10), all, base, true},
			"batches of 128 blocks":      {goleveldb.Filter(policy.Paired(23.4)), nil, base, false},
		}},
		{"batches of 128 blocks", goleveldb.Filter(policy.Paired(23.4)), base, map[string]options{
			"LevelDB's and alternatives": {levelDB, all, 0, true},
		}},
		{"LevelDB's", levelDB, 0, map[string]options{
			"BuiltIn":                    {goleveldb.BuiltIn(10), nil, 0, true},
			"FastLocal":                  {goleveldb.FastLocal(10), nil, base, false},
			"FastLocal and alternatives": {goleveldb.FastLocal(10), all, base, true},
		}},
		{"BuiltIn", goleveldb.BuiltIn(10), 0, map[string]options{
			"LevelDB's": {levelDB, nil, 0, true},
		}},
		{"none", nil, 0, map[string]options{
			"FastLocal and alternatives": {goleveldb.FastLocal(10), all, base, false},
		}},
	} {
		t.Run(before.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Run("write", func(t *testing.T) {
				o := open(t, dir, false, before.base, before.write)
				fill(t, o.DB, numbers, written)
			})
			for name, after := range before.after {
				t.Run(name, func(t *testing.T) {
					open(t, dir, true, after.base, after.write, after.alternatives...).expect(t, after.filtered)
				})
			}
		})
	}
}

// TestStoreGoesThereAndBack is a migration: LevelDB's filters, then FastLocal and Paired ones
// for what is written later, then LevelDB's again. Gets go on beside writes and compactions.
func TestStoreGoesThereAndBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	levelDB := filter.NewBloomFilter(10)
	for step, write := range []filter.Filter{levelDB, goleveldb.FastLocal(10), goleveldb.Paired(23.4), levelDB} {
		t.Run(fmt.Sprint(step, " ", write.Name()), func(t *testing.T) {
			o := open(t, dir, false, baseLg, write, goleveldb.AltFilters()...)
			if step == 0 {
				fill(t, o.DB, numbers, written)
				o.findAll(t)
				return
			}
			if step == 1 { // CompactRange leaves tables alone that lie lowest already
				check(t, o.CompactRange(util.Range{}))
				if queried, _ := o.getAbsent(t); queried < 0.99 || o.filters[0].queried.Load() != 0 {
					t.Errorf("%.3f filters queried for a Get, the new one %d times in all", queried, o.filters[0].queried.Load())
				}
			}
			var rewriting sync.WaitGroup
			rewriting.Add(1)
			go func() {
				defer rewriting.Done()
				o.rewriteThird(t, step)
			}()
			o.findAll(t)
			rewriting.Wait()
			o.findAll(t)
			if step == 3 { // by now all tables are new
				before := o.filters[0].queried.Load()
				queried, _ := o.getAbsent(t)
				if alone := float64(o.filters[0].queried.Load()-before) / absentGets; queried < 0.99 || alone != queried {
					t.Errorf("%.3f filters queried for a Get, %.3f of them written by this step", queried, alone)
				}
			}
		})
	}
}

// rewriteThird writes a third of the keys, and compacts, which rewrites all tables: they lie
// between the others.
func (o *opened) rewriteThird(t *testing.T, third int) {
	batch := new(leveldb.Batch)
	for i := third % 3; i < written; i += 3 {
		batch.Put(keys(numbers).present(i), value(i))
	}
	if err := errors.Join(o.Write(batch, nil), o.CompactRange(util.Range{})); err != nil {
		t.Error(err)
	}
}
