package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

var small = Shape{CacheBytes: 1 << 20, MemTableBytes: 1 << 20, MemTables: 2, TableBytes: 1 << 20, LBaseBytes: 1 << 20, L0Threshold: 2}

func open(t *testing.T, dir string, fs vfs.FS, policy pebble.FilterPolicy) (*pebble.DB, *pebble.Options) {
	t.Helper()
	o := small.Options(fs, policy)
	o.DisableAutomaticCompactions = true // one would drop the deletion
	t.Cleanup(o.Cache.Unref)
	db, err := pebble.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return db, o
}

// fill writes some keys to the store in dir, and deletes one of them.
func fill(t *testing.T, dir string, deletes bool) Tables {
	t.Helper()
	db, o := open(t, dir, vfs.Default, nil)
	for _, key := range []string{"apple", "banana", "cherry"} {
		if err := db.Set([]byte(key), []byte("red"), pebble.NoSync); err != nil {
			t.Fatal(err)
		}
	}
	if deletes {
		if err := db.Delete([]byte("cherry"), pebble.NoSync); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(db.Flush(), db.Close()); err != nil {
		t.Fatal(err)
	}
	tables, err := TablesOf(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

func TestRewrittenTablesHaveFilters(t *testing.T) {
	tables, dir := fill(t, t.TempDir(), false), t.TempDir()
	fs := &CountingFS{FS: vfs.Default}
	db, o := open(t, dir, fs, bloom.FilterPolicy(10))
	keys := 0
	if err := tables.Rewrite(db, o, dir, func(n int) error { keys += n; return nil }); err != nil {
		t.Fatal(err)
	}
	full := errors.New("enough")
	if err := tables.Rewrite(db, o, dir, func(int) error { return full }); !errors.Is(err, full) {
		t.Errorf("%v after an error", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, _ = open(t, dir, fs, bloom.FilterPolicy(10)) // with an empty block cache
	defer db.Close()
	d, err := Describe(db)
	if err != nil || keys != 3 || d.FilterBytes == 0 || len(d.Levels) != 1 || d.Levels[0].Keys != 3 || d.TableBytes != d.Levels[0].Bytes {
		t.Errorf("%d keys, %+v, %v", keys, d, err)
	}
	fs.Know(d)
	before := fs.Reads()
	if value, closer, err := db.Get([]byte("banana")); err != nil || string(value) != "red" || closer.Close() != nil {
		t.Errorf("%q, %v", value, err)
	}
	reads := fs.Reads().Sub(before)
	if reads.Data != 1 || reads.Filter != 0 || reads.All < 1 { // in L6, where Get uses no filter
		t.Errorf("%+v", reads)
	}
	iter, err := db.NewIter(&pebble.IterOptions{UseL6Filters: true})
	if err != nil || iter.SeekPrefixGE([]byte("avocado")) || iter.Close() != nil {
		t.Errorf("%v, %v", iter, err)
	}
	if more := fs.Reads().Sub(before).Sub(reads); more.Data != 0 || more.Filter != 1 || d.Filters != 1 || d.LargestFilter != d.FilterBytes {
		t.Errorf("%+v, %+v", more, d)
	}
}

func TestDeletionsAreNotRewritten(t *testing.T) {
	tables, dir := fill(t, t.TempDir(), true), t.TempDir()
	db, o := open(t, dir, vfs.Default, nil)
	defer db.Close()
	err := tables.Rewrite(db, o, dir, func(int) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "DEL") {
		t.Error(err)
	}
}
