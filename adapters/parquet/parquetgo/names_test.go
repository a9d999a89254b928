package parquetgo_test

import (
	"bytes"
	"strings"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
)

// dotted has names with dots; two columns have the name "c.d".
type dotted struct {
	AB int64 `parquet:"a.b"`
	C  struct {
		D  int64  `parquet:"d"`
		EF string `parquet:"e.f"`
	} `parquet:"c"`
	CD int64 `parquet:"c.d"`
}

func TestNamesWithDots(t *testing.T) {
	var sink bytes.Buffer
	w := parquetgo.NewGenericWriter[dotted](&sink)
	for i := range int64(100) {
		row := dotted{AB: i, CD: 2000 + i}
		row.C.D, row.C.EF = 1000+i, strings.Repeat("x", int(i))
		if _, err := w.Write([]dotted{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := sink.Bytes()
	filters, err := adapter.Build(file(t, data), 0.001, "a.b", "c.e.f")
	if err != nil {
		t.Fatal(err)
	}
	var changed bytes.Buffer
	if err := parquet.WriteWithFilters(&changed, bytes.NewReader(data), int64(len(data)), filters, parquet.WithAnyType()); err != nil {
		t.Fatal(err)
	}
	f := opened(t, changed.Bytes())
	for i := range int64(100) {
		find(t, f, 0, "a.b", i)
		find(t, f, 0, "c.e.f", strings.Repeat("x", int(i)))
	}
	if got, err := parquet.Prune(f, "a.b", []int64{1000, 2000}); err != nil || len(got) != 0 {
		t.Errorf("values of other columns are in a.b: %v, %v", got, err)
	}
	const two = `two columns are named "c.d"`
	_, buildErr := adapter.Build(file(t, data), 0.01, "c.d")
	_, pruneErr := parquet.Prune(f, "c.d", []int64{1000})
	_, filtersErr := f.Filters("c.d")
	writeErr := parquet.WriteWithFilters(new(bytes.Buffer), bytes.NewReader(data), int64(len(data)), parquet.Filters{"c.d": {nil}})
	for i, err := range []error{buildErr, pruneErr, filtersErr, writeErr} {
		if err == nil || !strings.Contains(err.Error(), two) {
			t.Errorf("%d: %v", i, err)
		}
	}
	for _, err := range adapter.Hashes(file(t, data), "c.d") {
		if err == nil || !strings.Contains(err.Error(), two) {
			t.Errorf("Hashes: %v", err)
		}
	}
}
