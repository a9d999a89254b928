package parquetgo_test

import (
	"bytes"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/golden"
)

// TestGolden: parquet-go itself uses the filters of files that earlier versions wrote. For a release it writes one of
// this version.
func TestGolden(t *testing.T) {
	const root = "../../../testdata/golden"
	if folder := golden.Folder(root); folder != "" {
		golden.Store(folder, "tables/parquetgo.parquet", goldenFile(t))
		return
	}
	golden.Test(t, root, golden.Tables, func(t *testing.T, _ string, data []byte, r golden.Row) (golden.Row, []golden.Queries) {
		if r.OpenedAs != "parquetgo" {
			return r, nil
		}
		f := file(t, data)
		return r, []golden.Queries{{Name: "Check", One: func(key []byte) bool {
			any := false
			for _, group := range f.RowGroups() {
				any = contract.Must(group.ColumnChunks()[0].BloomFilter().Check(parquetgo.ValueOf(key))) || any
			}
			return any
		}}}
	})
}

// goldenFile is a file of two row groups.
func goldenFile(t *testing.T) []byte {
	t.Helper()
	type row struct {
		Key []byte `parquet:"key,snappy"`
	}
	var data, filtered bytes.Buffer
	w := parquetgo.NewGenericWriter[row](&data, parquetgo.MaxRowsPerRowGroup(golden.MostKeys/2))
	for _, key := range golden.Present {
		contract.Must(w.Write([]row{{key}}))
	}
	golden.Check(w.Close())
	filters := contract.Must(adapter.Build(file(t, data.Bytes()), 0.01, "key"))
	golden.Check(parquet.WriteWithFilters(&filtered, bytes.NewReader(data.Bytes()), int64(data.Len()), filters, parquet.WithAnyType()))
	return filtered.Bytes()
}
