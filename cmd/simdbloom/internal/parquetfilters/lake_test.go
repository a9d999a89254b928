package parquetfilters_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
)

// wide is a row whose ID was an INT32 in old files, which had no name, either.
type wide struct {
	ID   int64  `parquet:"id"`
	Name string `parquet:"name"`
}

type old struct {
	ID int32 `parquet:"id"`
}

func write[T any](t *testing.T, path string, row func(i int) T, options ...parquetgo.WriterOption) {
	t.Helper()
	rows := make([]T, 1000)
	for i := range rows {
		rows[i] = row(i)
	}
	if err := parquetgo.WriteFile(path, rows, options...); err != nil {
		t.Fatal(err)
	}
}

// TestChangedSchemas: a table's old files have fewer columns and narrower types. Both are said, and are no errors.
func TestChangedSchemas(t *testing.T) {
	folder := t.TempDir()
	one, two, broken := filepath.Join(folder, "1.parquet"), filepath.Join(folder, "2.parquet"), filepath.Join(folder, "3.parquet")
	write(t, one, func(i int) old { return old{int32(i)} })
	write(t, two, func(i int) wide { return wide{int64(i) << 32, fmt.Sprint(i)} })
	if err := os.WriteFile(broken, []byte("PAR1 and not more"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, failed := run(t, "add", "-in-place", "-column=id", "-column=name", "-rate=1e-6", one, broken, two)
	if failed != 1 || strings.Count(out, "id: ") != 2 || strings.Count(out, "name: ") != 1 || !strings.Contains(errs, one+`: no column is named "name"`) || !strings.Contains(errs, broken) {
		t.Errorf("%s%s%d failed", out, errs, failed)
	}
	if data, err := os.ReadFile(broken); err != nil || string(data) != "PAR1 and not more" {
		t.Errorf("%q, %v", data, err)
	}
	out, errs, failed = run(t, "-column=id", "-value=4294967296", one, two)
	if failed != 0 || errs != "" || !strings.Contains(out, "in 0 of 1 row groups: [] (INT32 INT(32) cannot have it)") || !strings.Contains(out, "in 1 of 1 row groups: [0]\n") {
		t.Errorf("%s%s%d failed", out, errs, failed)
	}
	if out, errs, failed = run(t, "-json", "-column=id", "-value=4294967296", one); failed != 0 || !strings.Contains(out, `"row_groups":[],"note":"INT32 INT(32) cannot have it"`) {
		t.Errorf("%s%s%d failed", out, errs, failed)
	}
	out, errs, failed = run(t, "-column=name", "-value=7", one, two)
	if failed != 0 || !strings.Contains(errs, `no column is named "name"`) || !strings.Contains(out, "in 1 of 1 row groups") {
		t.Errorf("%s%s%d failed", out, errs, failed)
	}
	before, err := os.Stat(one)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-column=nam", "-value=7", one, two}, {"add", "-in-place", "-column=nam", one, two}, {"verify", "-column=nam", one, two}} {
		if _, errs, failed := run(t, args...); failed != 1 || !strings.Contains(errs, `no file has a column named "nam"`) {
			t.Errorf("%v: %s%d failed", args, errs, failed)
		}
	}
	if after, err := os.Stat(one); err != nil || !os.SameFile(before, after) {
		t.Errorf("a file without the column is written again: %v", err)
	}
	data, err := os.ReadFile(two)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data[:1000] { // its pages
		data[4+i] ^= 0x55
	}
	damaged := filepath.Join(folder, "4.parquet")
	if err := os.WriteFile(damaged, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "-in-place", "-column=id", damaged}, {"verify", damaged}} {
		if out, errs, failed := run(t, args...); failed != 1 || strings.Contains(out, "OK") || !strings.Contains(errs, damaged) {
			t.Errorf("%v of damaged pages: %s%s%d failed", args, out, errs, failed)
		}
		if now, err := os.ReadFile(damaged); err != nil || string(now) != string(data) {
			t.Errorf("%v writes it: %v", args, err)
		}
	}
	if out, errs, failed := run(t, "verify", one, two); failed != 0 || strings.Count(out, "OK, ") != 2 || errs != "" {
		t.Errorf("%s%s%d failed", out, errs, failed)
	}
}

// TestFaultyFilters: verify finds what parquet-go's filters of a full dictionary lack, and the other calls do not use
// them.
func TestFaultyFilters(t *testing.T) {
	type row struct {
		ID int64 `parquet:"id,dict"`
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	value := func(i int) int64 { return int64(i) * 0x123456789abcd }
	filter := parquetgo.BloomFilters(parquetgo.SplitBlockFilter(10, "id"))
	write(t, path, func(i int) row { return row{value(i)} }, parquetgo.DictionaryMaxBytes(1000), parquetgo.PageBufferSize(1000), filter)
	if out, _, _ := run(t, path); !strings.Contains(out, "not used: row group 0") || !strings.Contains(out, "parquet-go's filters") {
		t.Error(out)
	}
	lookup := []string{"-column=id", "-value", fmt.Sprint(value(999)), path}
	if out, _, _ := run(t, lookup...); !strings.Contains(out, "in 1 of 1 row groups") {
		t.Error(out)
	}
	if out, _, _ := run(t, append(lookup, "-any-writer")...); !strings.Contains(out, "in 0 of 1 row groups") {
		t.Error(out)
	}
	if out, errs, failed := run(t, "verify", path); failed != 0 || !strings.Contains(out, "id, row group 0: the filter lacks ") || !strings.Contains(out, " of 1,000 values") || strings.Contains(out, "OK") {
		t.Errorf("%s%s%d failed", out, errs, failed)
	}
	if _, errs, failed := run(t, "add", "-in-place", "-column=id", path); failed != 0 {
		t.Error(errs)
	}
	if out, errs, failed := run(t, "verify", path); failed != 0 || !strings.Contains(out, "OK, 1,000 values in 1 filter\n") {
		t.Errorf("%s%s%d failed", out, errs, failed)
	}
	write(t, path, func(i int) row { return row{value(i)} }, filter, parquetgo.BloomFilterCompression(&parquetgo.Gzip))
	if out, errs, failed := run(t, "verify", path); failed != 1 || !strings.Contains(out, "not verified: the filter cannot be used") || strings.Contains(out, "OK") {
		t.Errorf("%s%s%d failed", out, errs, failed)
	}
	write(t, path, func(i int) row { return row{value(i)} })
	if out, errs, failed := run(t, "verify", path); failed != 0 || !strings.Contains(out, ": no filters\n") {
		t.Errorf("%s%s%d failed", out, errs, failed)
	}
}
