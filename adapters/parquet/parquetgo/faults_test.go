package parquetgo_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
	kinds "github.com/simdbloom/simdbloom/internal/test/opened"
)

var errRead = errors.New("this read fails, for a test")

// failing is a file of which one read fails.
type failing struct {
	*bytes.Reader
	reads, fails int
}

func (f *failing) ReadAt(p []byte, at int64) (int, error) {
	if f.reads++; f.reads == f.fails {
		return 0, errRead
	}
	return f.Reader.ReadAt(p, at)
}

// openFailing opens a file whose n-th read from now on fails.
func openFailing(t *testing.T, data []byte, n int) (*failing, *parquetgo.File) {
	t.Helper()
	f := &failing{Reader: bytes.NewReader(data)}
	file, err := parquetgo.OpenFile(f, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f.fails = f.reads + n
	return f, file
}

// TestBuildFailsWhereReadsDo: no read that fails is a row group without values.
func TestBuildFailsWhereReadsDo(t *testing.T) {
	for _, codec := range []compress.Codec{&parquetgo.Snappy, &parquetgo.Lz4Raw} {
		data := written(t, parquetgo.Compression(codec))
		for n, failed := 1, 0; ; n++ {
			f, file := openFailing(t, data, n)
			filters, err := adapter.Build(file, 0.01, "id", "name", "maybe")
			if f.reads < f.fails { // none failed
				if err != nil || len(filters) != 3 || failed < 3*rowGroups {
					t.Errorf("%v: %d filters, %d reads, %v", codec, len(filters), failed, err)
				}
				break
			}
			if failed++; !errors.Is(err, errRead) || filters != nil {
				t.Fatalf("%v: read %d fails: %v", codec, n, err)
			}
		}
	}
}

// TestCorruptMetadata: row groups without a column, and pages that end in the middle of one, are errors.
func TestCorruptMetadata(t *testing.T) {
	data := written(t, parquetgo.Compression(&parquetgo.Lz4Raw))
	for what, change := range map[string]func(group *format.RowGroup){
		"no columns": func(group *format.RowGroup) { group.Columns = group.Columns[:1] },
		"half a page": func(group *format.RowGroup) {
			group.Columns[0].MetaData.TotalCompressedSize--
		},
		"no bytes": func(group *format.RowGroup) { group.Columns[0].MetaData.TotalCompressedSize = -1 },
		"behind the file": func(group *format.RowGroup) {
			m := &group.Columns[0].MetaData
			m.TotalCompressedSize = int64(len(data)) - m.DataPageOffset + 1
		},
		"before the file": func(group *format.RowGroup) { group.Columns[0].MetaData.DataPageOffset = -1 },
	} {
		f := file(t, data)
		change(&f.Metadata().RowGroups[1])
		if filters, err := adapter.Build(f, 0.01, "id"); !errors.Is(err, simdbloom.ErrCorrupt) || filters != nil {
			t.Errorf("%s: %v", what, err)
		}
		var failed error
		for _, err := range adapter.Hashes(f, "id") {
			failed = err
		}
		if !errors.Is(failed, simdbloom.ErrCorrupt) {
			t.Errorf("%s: %v", what, failed)
		}
		if all, err := adapter.Verify(f); (err != nil) != (what == "no columns") {
			t.Errorf("%s: %+v, %v", what, all, err)
		}
	}
}

// TestHostileMetadata: no number that a footer may have is a panic.
func TestHostileMetadata(t *testing.T) {
	files := [][]byte{written(t, filtered()), written(t, parquetgo.Compression(&parquetgo.Lz4Raw))}
	for name, set := range map[string]func(m *format.ColumnMetaData, n int64){
		"an encoding": func(m *format.ColumnMetaData, n int64) { m.EncodingStats[0].Encoding = format.Encoding(n) },
		"one of the chunk": func(m *format.ColumnMetaData, n int64) {
			m.EncodingStats, m.Encoding = nil, []format.Encoding{format.Encoding(n)}
		},
		"the codec":           func(m *format.ColumnMetaData, n int64) { m.Codec = format.CompressionCodec(n) },
		"the values":          func(m *format.ColumnMetaData, n int64) { m.NumValues = n },
		"the filter's offset": func(m *format.ColumnMetaData, n int64) { m.BloomFilterOffset = n },
		"the filter's length": func(m *format.ColumnMetaData, n int64) { m.BloomFilterLength = int32(n) },
		"the pages' offset":   func(m *format.ColumnMetaData, n int64) { m.DataPageOffset = n },
		"the dictionary's":    func(m *format.ColumnMetaData, n int64) { m.DictionaryPageOffset = n },
		"the pages' size":     func(m *format.ColumnMetaData, n int64) { m.TotalCompressedSize = n },
	} {
		for _, n := range []int64{-1, 64, math.MaxInt32, math.MinInt64} {
			for _, data := range files {
				f := file(t, data)
				set(&f.Metadata().RowGroups[1].Columns[0].MetaData, n)
				kinds.NotPanicking(t, fmt.Sprintf("%s is %d", name, n), func() {
					if got, err := parquet.Prune(must(adapter.Open(f)), "id", []int64{rowOf(perGroup).ID}); err == nil && !slices.Contains(got, 1) {
						t.Errorf("%s is %d: a row is lost: %v", name, n, got)
					}
					adapter.Build(f, 0.01, "id")
					adapter.Verify(f, "id")
				})
			}
		}
	}
}

// TestVerifyFailsWhereReadsDo: a read that fails is an error, or the reason why a filter was not looked up.
func TestVerifyFailsWhereReadsDo(t *testing.T) {
	data := written(t, filtered())
	for n, failed := 1, 0; ; n++ {
		f, file := openFailing(t, data, n)
		all, err := adapter.Verify(file, "id")
		if f.reads < f.fails {
			if failed == 0 || len(all) != rowGroups {
				t.Errorf("%d reads fail, %d filters, %v", failed, len(all), err)
			}
			return
		}
		failed++
		if !errors.Is(err, errRead) && !slices.ContainsFunc(all, func(v adapter.Verified) bool { return errors.Is(v.Err, errRead) }) {
			t.Errorf("read %d fails: %+v, %v", n, all, err)
		}
	}
}

// TestPruneFailsWhereReadsDo: a read that fails excludes no row group, and the next Prune is right.
func TestPruneFailsWhereReadsDo(t *testing.T) {
	data := written(t, filtered())
	for _, cost := range []int{0, 1 << 20} {
		for n := 1; ; n++ {
			f, file := openFailing(t, data, n)
			pruned, err := adapter.Open(file, parquet.WithReadCost(cost))
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < rowGroups*perGroup; i += perGroup / 2 {
				got, err := parquet.Prune(pruned, "id", []int64{rowOf(i).ID})
				if errors.Is(err, errRead) && got == nil && f.reads >= f.fails {
					got, err = parquet.Prune(pruned, "id", []int64{rowOf(i).ID})
				}
				if err != nil || !slices.Contains(got, i/perGroup) {
					t.Fatalf("a read costs %d, read %d failed: row %d is in the row groups %v, %v", cost, n, i, got, err)
				}
			}
			if f.reads < f.fails { // none failed
				if n == 1 {
					t.Error("nothing was read")
				}
				break
			}
		}
	}
}
