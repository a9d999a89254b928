package goleveldb_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
)

var update = flag.Bool("update", false, "write the tables that table is tested with again")

// testTables are the tables of table/testdata, each with the keys from "key00000" to
// "key00999" and 1,000 keys of 4 bytes that are not ASCII.
var testTables = []struct {
	name    string
	options opt.Options
}{
	{"goleveldb.ldb", opt.Options{Filter: filter.NewBloomFilter(10), Compression: opt.NoCompression}},
	{"goleveldb-snappy.ldb", opt.Options{Filter: filter.NewBloomFilter(10)}},
	{"goleveldb-none.ldb", opt.Options{}},
	{"goleveldb-paired.ldb", opt.Options{Filter: goleveldb.Paired(23.4), FilterBaseLg: baseLg}},
	{"goleveldb-fastlocal.ldb", opt.Options{Filter: goleveldb.FastLocal(10)}},
}

// TestTables: goleveldb still writes the same tables.
func TestTables(t *testing.T) {
	const testdata = "../../table/testdata"
	if _, err := os.Stat(testdata); err != nil {
		t.Skip("only in a clone:", err)
	}
	for _, table := range testTables {
		var batch leveldb.Batch
		for i := range 1000 {
			batch.Put(fmt.Appendf(nil, "key%05d", i), []byte("value"))
			batch.Put(binary.BigEndian.AppendUint32(nil, 0x80ff0000+uint32(i)*101), []byte("value"))
		}
		got := tableOf(t, &table.options, &batch)
		file := filepath.Join(testdata, table.name)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: goleveldb writes another table", table.name)
		}
	}
}

// tableOf returns the only table of a store.
func tableOf(t *testing.T, options *opt.Options, batch *leveldb.Batch) []byte {
	t.Helper()
	files := storage.NewMemStorage()
	db, err := leveldb.Open(files, options)
	check(t, err)
	defer db.Close()
	check(t, db.Write(batch, nil))
	tr, err := db.OpenTransaction() // which writes the table of what is in memory
	check(t, err)
	check(t, tr.Commit())
	all, err := files.List(storage.TypeTable)
	check(t, err)
	if len(all) != 1 {
		t.Fatal(all)
	}
	reader, err := files.Open(all[0])
	check(t, err)
	defer reader.Close()
	var data bytes.Buffer
	_, err = data.ReadFrom(reader)
	check(t, err)
	return data.Bytes()
}
