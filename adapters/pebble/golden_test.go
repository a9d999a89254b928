package pebble_test

import (
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/golden"
)

// TestGolden: a store takes the tables that earlier versions wrote, and uses their filters. For a release it writes
// those of this version.
func TestGolden(t *testing.T) {
	const root = "../../testdata/golden"
	if folder := golden.Folder(root); folder != "" {
		for name, table := range goldenTables(t) {
			golden.Store(folder, "tables/"+name+".sst", table)
		}
		return
	}
	golden.Test(t, root, golden.Tables, func(t *testing.T, _ string, table []byte, r golden.Row) (golden.Row, []golden.Queries) {
		if !slices.Contains(goldenWriters, r.OpenedAs) {
			return r, nil
		}
		var counters simdbloom.Counters
		fs := vfs.NewMem()
		s := open(t, fs, func(o *pebble.Options) {
			o.Filters = simdbloom.Filters(simdbloom.Counted(simdbloom.FastLocal(10), &counters))
		})
		t.Cleanup(func() { s.must(s.Close()) })
		file := contract.Must(create(fs, "table"))
		contract.Must(file.Write(table))
		s.must(file.Close())
		s.must(ingest(t, s.DB, "table"))
		return r, []golden.Queries{{Name: "Get", One: func(key []byte) bool {
			before := counters.Read()
			_, closer, err := s.withL6(key)
			if err == nil {
				s.must(closer.Close())
			}
			counted := counters.Read().Sub(before)
			if errors.Is(err, pebble.ErrNotFound) == golden.IsPresent(key) || counted.Positives+counted.Useful != 1 {
				t.Fatalf("%q: %v, %v", key, err, counted)
			}
			return counted.Positives == 1
		}}}
	})
}

// goldenTable has Pebble write a table.
func goldenTable(p pebble.FilterPolicy, format sstable.TableFormat) []byte {
	fs := vfs.NewMem()
	o := &pebble.Options{Comparer: comparer}
	setPolicies(o, p)
	o.EnsureDefaults()
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(contract.Must(create(fs, "table"))), o.MakeWriterOptions(0, format))
	for _, key := range golden.TableKeys() {
		golden.Check(w.Set(key, nil))
	}
	golden.Check(w.Close())
	file := contract.Must(fs.Open("table"))
	defer file.Close()
	return contract.Must(io.ReadAll(file))
}
