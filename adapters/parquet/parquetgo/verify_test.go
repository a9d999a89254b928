package parquetgo_test

import (
	"bytes"
	"slices"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
)

// TestVerify: filters have all values of their row groups, and one of another row group has not.
func TestVerify(t *testing.T) {
	data := with(written(t), must(adapter.Build(file(t, written(t)), 0.0001, names...)), parquet.WithAnyType())
	all := must(adapter.Verify(file(t, data)))
	if len(all) != len(names)*rowGroups {
		t.Fatalf("%d filters, want %d of %v", len(all), rowGroups, names)
	}
	for _, v := range all {
		if v.Err != nil || v.Missing != 0 || v.Values == 0 && v.Column != "maybe" {
			t.Errorf("%+v", v)
		}
	}
	first := must(parquet.OpenBytes(data))
	for _, name := range names {
		filters := must(first.Filters(name))
		filters = append(slices.Clone(filters[1:]), filters[0]) // each is another row group's
		swapped := with(data, parquet.Filters{name: filters}, parquet.WithAnyType())
		lacking := 0
		for _, v := range must(adapter.Verify(file(t, swapped), name)) {
			lacking += v.Missing
		}
		if name == "id" && lacking == 0 {
			t.Errorf("%s: nothing is missing", name)
		}
	}
	if _, err := adapter.Verify(file(t, data), "none"); err == nil {
		t.Error("no error for a column that does not exist")
	}
}

// with returns a file with filters.
func with(data []byte, filters parquet.Filters, options ...parquet.WriteOption) []byte {
	var out bytes.Buffer
	if err := parquet.WriteWithFilters(&out, bytes.NewReader(data), int64(len(data)), filters, options...); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// TestNotVerified: what cannot be looked up is never right.
func TestNotVerified(t *testing.T) {
	type row struct {
		B bool  `parquet:"b"`
		N int64 `parquet:"n"`
	}
	var sink bytes.Buffer
	rows := make([]row, 5000)
	for i := range rows {
		rows[i] = row{i%2 == 0, int64(i)}
	}
	filters := parquetgo.BloomFilters(parquetgo.SplitBlockFilter(10, "b"), parquetgo.SplitBlockFilter(10, "n"))
	if err := parquetgo.Write(&sink, rows, filters); err != nil {
		t.Fatal(err)
	}
	data := sink.Bytes()
	f := file(t, data)
	columns := f.Metadata().RowGroups[0].Columns
	if all := must(adapter.Verify(f)); len(all) != 2 || all[0].Err == nil || all[1].Err != nil || all[1].Values != 5000 {
		t.Errorf("%+v", all)
	}
	columns[1].FilePath = "other.parquet"
	if all := must(adapter.Verify(f, "n")); len(all) != 1 || all[0].Err == nil {
		t.Errorf("in another file: %+v", all)
	}
	columns[1].FilePath, columns[1].CryptoMetadata.Value = "", &format.EncryptionWithFooterKey{}
	if all := must(adapter.Verify(f, "n")); len(all) != 1 || all[0].Err == nil {
		t.Errorf("encrypted: %+v", all)
	}
	data[columns[1].MetaData.DataPageOffset+20] ^= 0xff
	if all, err := adapter.Verify(file(t, data), "n"); err == nil && (len(all) != 1 || all[0].Err == nil && all[0].Missing == 0) {
		t.Errorf("a damaged page: %+v", all)
	}
}
