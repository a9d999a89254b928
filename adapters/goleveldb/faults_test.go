package goleveldb_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
)

// TestEveryReadFailsOnce gets keys while one read of the tables fails, each in turn. A present key is missing only with
// an error, and once the disk works again, every Get is right: nothing of the failure stays in a cache.
func TestEveryReadFailsOnce(t *testing.T) {
	const n, step = 1000, 100
	for _, c := range []struct {
		write filter.Filter
		base  int
	}{
		{goleveldb.FastLocal(10), 0},
		{goleveldb.Paired(23.4), baseLg},
		{goleveldb.Linear(17), baseLg},
		{goleveldb.LevelDB(10), 0},
		{goleveldb.BuiltIn(10), 0},
	} {
		for _, cacheBytes := range []int{opt.MiB, -1} { // with a cache of blocks, and without
			files := &countedReads{Storage: storage.NewMemStorage()}
			open := func() *leveldb.DB {
				db, err := leveldb.Open(files, &opt.Options{
					Filter: c.write, FilterBaseLg: c.base, CompactionTableSize: 16 * opt.KiB,
					BlockCacheCapacity: cacheBytes, DisableSeeksCompaction: true,
				})
				check(t, err)
				return db
			}
			db := open()
			fill(t, db, numbers, n)
			check(t, db.Close())

			failed := 0
			for fails := int64(1); ; fails++ {
				db := open()
				files.fails.Store(files.reads.Load() + fails)
				for i := 0; i < n; i += step {
					failed += checkGets(t, db, i, files)
				}
				ended := files.reads.Load() < files.fails.Load()
				if !ended {
					for i := 0; i < n; i += step {
						if checkGets(t, db, i, files) > 0 {
							t.Fatalf("%s: an error that stays after read %d failed", c.write.Name(), fails)
						}
					}
				}
				check(t, db.Close())
				if ended {
					break
				}
			}
			if failed < n/step/2 {
				t.Errorf("%s: only %d Gets failed", c.write.Name(), failed)
			}
		}
	}
}

// checkGets gets a present key and an absent one, and returns the number of errors.
func checkGets(t *testing.T, db *leveldb.DB, i int, files *countedReads) (failed int) {
	t.Helper()
	got, err := db.Get(keys(numbers).present(i), nil)
	switch {
	case errors.Is(err, errRead):
		failed++
	case err != nil || !bytes.Equal(got, value(i)):
		t.Fatalf("key %d, while read %d failed: %q, %v", i, files.fails.Load(), got, err)
	}
	switch has, err := db.Has(keys(numbers).absent(i), nil); {
	case errors.Is(err, errRead):
		failed++
	case err != nil || has:
		t.Fatalf("absent key %d, while read %d failed: %v, %v", i, files.fails.Load(), has, err)
	}
	return failed
}

// TestFailedCompactionLosesNothing: a read of a compaction fails, and every key is found.
func TestFailedCompactionLosesNothing(t *testing.T) {
	const n = 1000
	for _, f := range []filter.Filter{goleveldb.FastLocal(10), goleveldb.Linear(17)} {
		for fails := int64(1); fails < 40; fails += 3 {
			files := &countedReads{Storage: storage.NewMemStorage()}
			db, err := leveldb.Open(files, &opt.Options{Filter: f, CompactionTableSize: 16 * opt.KiB, BlockCacheCapacity: -1})
			check(t, err)
			fill(t, db, numbers, n)
			for i := range n {
				check(t, db.Put(keys(numbers).present(i), value(i), nil))
			}
			files.fails.Store(files.reads.Load() + fails)
			if err := db.CompactRange(util.Range{}); !errors.Is(err, errRead) {
				t.Fatalf("%s: read %d of a compaction failed: %v", f.Name(), fails, err)
			}
			for i := range n {
				if checkGets(t, db, i, files) > 0 {
					t.Fatalf("%s: an error that stays after read %d of a compaction failed", f.Name(), fails)
				}
			}
			if err := db.Close(); err != nil && !errors.Is(err, errRead) { // it tells the compaction's error, too
				t.Fatal(err)
			}
		}
	}
}
