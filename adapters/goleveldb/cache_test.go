package goleveldb_test

import (
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"

	goleveldb "github.com/simdbloom/simdbloom/adapters/goleveldb"
)

// goleveldb keeps blocks as long as they fit the block cache together. One that is larger than the cache
// is read for every lookup.
func TestFiltersAndTheBlockCache(t *testing.T) {
	const filter = 20_000 * 2 // bytes, a little less than the table's filter block
	files := &countedReads{Storage: storage.NewMemStorage()}
	open := func(cacheBytes int) *leveldb.DB {
		db, err := leveldb.Open(files, &opt.Options{
			Filter: goleveldb.FastLocal(16), FilterBaseLg: baseLg, CompactionTableSize: 64 << 20,
			BlockCacheCapacity: cacheBytes,
		})
		check(t, err)
		return db
	}
	db := open(256 << 20)
	fill(t, db, numbers, 20_000)
	check(t, db.Close())
	for _, c := range []struct {
		cacheBytes int
		kept       bool
	}{{2 * filter, true}, {filter, false}} {
		db := open(c.cacheBytes)
		const lookups = 100
		for range 2 {
			files.bytes.Store(0)
			for i := range lookups {
				if has, err := db.Has(keys(numbers).absent(i), nil); has || err != nil {
					t.Errorf("an absent key: %v, %v", has, err)
				}
			}
		}
		if read := files.bytes.Load(); c.kept != (read < filter) || !c.kept && read < lookups*filter {
			t.Errorf("with a cache of %d bytes %d lookups read %d bytes", c.cacheBytes, lookups, read)
		}
		check(t, db.Close())
	}
}
