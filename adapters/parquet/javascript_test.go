package parquet_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet"
)

func openJavaScript(t *testing.T, name string) *parquet.File {
	t.Helper()
	return must(parquet.OpenBytes(must(os.ReadFile(filepath.Join("testdata", "javascript", name)))))
}

// pruned counts the values for which the file's only row group is pruned.
func pruned[T parquet.Value](t *testing.T, f *parquet.File, column string, values func(i int) T) (n int) {
	t.Helper()
	for i := range 20 {
		groups, err := parquet.Prune(f, column, []T{values(i)})
		if err != nil {
			t.Fatalf("%s: %v", column, err)
		}
		n += 1 - len(groups)
	}
	return n
}

// prunes requires that no value of the column is pruned, and that nearly all others are if the column has a filter.
func prunes[T parquet.Value](t *testing.T, f *parquet.File, column string, filter bool, present, absent func(i int) T) {
	t.Helper()
	if n := pruned(t, f, column, present); n > 0 {
		t.Errorf("%s: %d of 20 values are lost", column, n)
	}
	if n := pruned(t, f, column, absent); filter && n < 18 || !filter && n > 0 {
		t.Errorf("%s: %d of 20 absent values are pruned", column, n)
	}
}

// TestHyparquetWriter: filters of all types that hyparquet-writer has any of are used, and lose no value.
func TestHyparquetWriter(t *testing.T) {
	f := openJavaScript(t, "hyparquet-writer.parquet")
	prunes(t, f, "int32", true, func(i int) int32 { return int32(i - 3) }, func(i int) int32 { return int32(i + 17) })
	prunes(t, f, "int64", true, func(i int) int64 { return int64(i) * 1e9 }, func(i int) int64 { return int64(i)*1e9 + 1 })
	prunes(t, f, "float", true, func(i int) float32 { return float32(i) + 0.5 }, func(i int) float32 { return float32(i) })
	prunes(t, f, "double", true, func(i int) float64 { return float64(i) + 0.25 }, func(i int) float64 { return float64(i) })
	prunes(t, f, "string", true, func(i int) string { return "value " + strconv.Itoa(i) }, func(i int) string { return "other " + strconv.Itoa(i) })
	prunes(t, f, "bytes", true, func(i int) []byte { return []byte{255, byte(i), 0} }, func(i int) []byte { return []byte{255, byte(i), 1} })
	prunes(t, f, "timestamp", false, func(i int) int64 { return int64(i) * 1000 }, func(i int) int64 { return int64(i) })
	if bad := f.Unusable(); len(bad) > 0 {
		t.Error(bad)
	}
}

// TestParquetJS: filters of parquetjs are refused, and nothing is pruned.
func TestParquetJS(t *testing.T) {
	f := openJavaScript(t, "parquetjs.parquet")
	prunes(t, f, "id", false, func(i int) int64 { return int64(i) }, func(i int) int64 { return int64(i + 20) })
	prunes(t, f, "name", false, func(i int) string { return "value " + strconv.Itoa(i) }, func(i int) string { return "other " + strconv.Itoa(i) })
	if bad := f.Unusable(); len(bad) != 2 {
		t.Error(bad)
	}
}
