package table_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/golden"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/table"
)

// TestGolden opens the tables of every version. For a release it lists those that were written just now.
func TestGolden(t *testing.T) {
	const root = "../testdata/golden"
	if folder := golden.Folder(root); folder != "" {
		var rows []golden.Row
		for _, file := range golden.FilesIn(folder, "tables") {
			if writer, _, ok := strings.Cut(filepath.Base(file), "-"); ok {
				rows = append(rows, golden.Row{File: file, OpenedAs: writer, Keys: golden.MostKeys})
			}
		}
		golden.List(t, folder, golden.Tables, rows, open)
		return
	}
	golden.Test(t, root, golden.Tables, open)
}

// open opens a table, and a filter of it by itself.
func open(_ *testing.T, path string, data []byte, r golden.Row) (golden.Row, []golden.Queries) {
	if strings.HasSuffix(path, ".parquet") {
		return r, nil
	}
	read := contract.Must(table.Open(bytes.NewReader(data), int64(len(data)), table.WithOrder(table.Bytewise)))
	ways := []golden.Queries{{
		Name: "Table",
		One:  func(key []byte) bool { return contract.Must(read.MayContain(key)) },
		Many: func(keys [][]byte, hits []bool) { golden.Check(read.MayContainKeys(keys, hits)) },
	}}
	var f []*simdbloom.Filter
	if read.Layout == "block-based" {
		block := contract.Must(leveldb.OpenBlock(contract.Must(read.ReadFilterBlock()), keyhash.LevelDB32))
		f = contract.Must(read.OpenFilter(block.Filter(0)))
	} else {
		f = contract.Must(read.OpenFilter(contract.Must(read.ReadFilter(0)).Data))
		reader := contract.Must(read.Reader(filterblock.ReadOptions{OnError: func(h filterblock.Handle, err error) { panic(fmt.Sprint(h, err)) }}))
		ways = append(ways, golden.Of(f[0]), golden.Queries{Name: "Reader", One: reader.MayContain, Many: reader.MayContainKeys})
	}
	r.Name, r.Format, r.Hash = read.FilterName, f[0].Format().String(), f[0].Hash().Name()
	return r, ways
}
