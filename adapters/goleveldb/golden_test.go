package goleveldb_test

import (
	"errors"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/golden"
)

// baseLg is a FilterBaseLg of one filter for a table.
const baseLg = 30

// TestGolden: a store takes the tables that earlier versions wrote, and uses their filters. For a release it writes
// those of this version.
func TestGolden(t *testing.T) {
	const root = "../../testdata/golden"
	if folder := golden.Folder(root); folder != "" {
		var batch leveldb.Batch
		for _, key := range golden.TableKeys() {
			batch.Put(key, nil)
		}
		builtIn := goleveldb.BuiltIn(10).Name()
		for _, f := range goleveldb.AltFilters() {
			o := &opt.Options{Filter: f}
			if f.Name() != builtIn { // which has a filter for each block
				o.FilterBaseLg = baseLg
			}
			golden.Store(folder, "tables/goleveldb-"+f.Name()+".ldb", tableOf(t, o, &batch))
		}
		return
	}
	golden.Test(t, root, golden.Tables, func(t *testing.T, _ string, table []byte, r golden.Row) (golden.Row, []golden.Queries) {
		if r.OpenedAs != "goleveldb" {
			return r, nil
		}
		files := storage.NewMemStorage()
		file := contract.Must(files.Create(storage.FileDesc{Type: storage.TypeTable, Num: 1}))
		contract.Must(file.Write(table))
		check(t, file.Close())
		var counters filterblock.Counters
		db := contract.Must(leveldb.Recover(files, &opt.Options{
			AltFilters: goleveldb.AltFilters(goleveldb.Counted(goleveldb.BuiltIn(10), &counters)), Strict: opt.StrictAll,
		}))
		t.Cleanup(func() { check(t, db.Close()) })
		return r, []golden.Queries{{Name: "Get", One: func(key []byte) bool {
			before := counters.Read()
			_, err := db.Get(key, nil)
			counted := counters.Read().Sub(before)
			if errors.Is(err, leveldb.ErrNotFound) == golden.IsPresent(key) || counted.Positives+counted.Useful != 1 {
				t.Fatalf("%q: %v, %v", key, err, counted)
			}
			return counted.Positives == 1
		}}}
	})
}
