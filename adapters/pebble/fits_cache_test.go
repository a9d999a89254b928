package pebble_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// A filter that just fits is read once, and one that does not for every lookup.
func TestFitsCache(t *testing.T) {
	const keys, memTable = 100_000, 256 << 10
	with := func(fs vfs.FS, cacheBytes, memTableBytes int64) store {
		o := &pebble.Options{
			FS: fs, Logger: logger{t}, FormatMajorVersion: pebble.FormatNewest, Comparer: comparer,
			DisableAutomaticCompactions: true, Cache: pebble.NewCache(cacheBytes),
		}
		defer o.Cache.Unref()
		setPolicies(o, simdbloom.FastLocal(10))
		setTableSize(o, 64<<20)
		setMemTableSize(o, memTableBytes)
		db, err := pebble.Open("store", o)
		if err != nil {
			t.Fatal(err)
		}
		return store{db, t}
	}
	fs := vfs.NewMem()
	s := with(fs, 64<<20, 64<<20)
	s.flush(numbered(0, keys)) // one table of L0
	s.must(s.Close())
	filter := int64(len(write(simdbloom.FastLocal(10), nil, numbered(0, keys))))

	absent, least := absentAmong(200), 4*(filter+341)+2*memTable
	for _, c := range []struct {
		cacheBytes int64
		fits       bool
	}{{least - 8192, false}, {least - 1, false}, {least, true}} {
		if simdbloom.FitsCache(filter, c.cacheBytes, memTable) != c.fits {
			t.Errorf("FitsCache(%d, %d, %d) is not %v", filter, c.cacheBytes, memTable, c.fits)
		}
		if c.cacheBytes == least-1 {
			continue // v1.1.5 keeps it
		}
		s := with(fs, c.cacheBytes, memTable)
		s.flush([][]byte{[]byte("z")}) // Pebble keeps the memtable for the next
		s.rejected(s.Get, absent)
		before := s.Metrics().BlockCache.Misses
		s.rejected(s.Get, absent)
		if misses := s.Metrics().BlockCache.Misses - before; c.fits && misses > 20 || !c.fits && misses < int64(len(absent)) {
			t.Errorf("in a cache of %d bytes, %d lookups read %d blocks", c.cacheBytes, len(absent), misses)
		}
		s.must(s.Close())
	}
	if simdbloom.FitsCache(1, 8<<20, 4<<20) {
		t.Error("Pebble's defaults fit a filter")
	}
}
