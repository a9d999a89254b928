//go:build unix

package arrow_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"golang.org/x/sys/unix"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/arrow"
)

const manyGroups, manyRows = 64, 10_000_000

// manyFile writes a file of 10 million different int64 in 64 row groups, with filters of the given rate.
func manyFile(b *testing.B, fpr float64) (path string) {
	b.Helper()
	node, err := schema.NewPrimitiveNode("id", arrowparquet.Repetitions.Required, arrowparquet.Types.Int64, -1, 0)
	if err != nil {
		b.Fatal(err)
	}
	root, err := schema.NewGroupNode("schema", arrowparquet.Repetitions.Required, schema.FieldList{node}, -1)
	if err != nil {
		b.Fatal(err)
	}
	var sink bytes.Buffer
	w := file.NewParquetWriter(&sink, root, file.WithWriterProps(arrowparquet.NewWriterProperties(arrowparquet.WithDictionaryDefault(false))))
	filters := make(parquet.Filters)
	for g := range manyGroups {
		ids := manyIDs(g*manyRows/manyGroups, manyRows/manyGroups)
		group, err := w.AppendRowGroupChecked()
		if err != nil {
			b.Fatal(err)
		}
		c, err := group.NextColumn()
		if err == nil {
			_, err = c.(*file.Int64ColumnChunkWriter).WriteBatch(ids, nil, nil)
		}
		if err == nil {
			err = c.Close()
		}
		if err == nil {
			err = group.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
		f, err := parquet.NewFilter(parquet.AppendHashes(nil, ids), fpr)
		if err != nil {
			b.Fatal(err)
		}
		filters["id"] = append(filters["id"], f)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	path = filepath.Join(b.TempDir(), "many.parquet")
	out, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	if err := parquet.WriteWithFilters(out, bytes.NewReader(sink.Bytes()), int64(sink.Len()), filters); err != nil {
		b.Fatal(err)
	}
	return path
}

// manyIDs returns n different values. Those of other ranges are others.
func manyIDs(from, n int) []int64 {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(uint64(from+i) * 0x9e3779b97f4a7c15)
	}
	return ids
}

// loop prunes as iceberg-go's checkRowGroupBloomFilters does: for each row group it reads the filter, hashes one
// value after the other, and stops at the first that the row group may have.
func loop(r *file.Reader, ids []int64) (left []int, err error) {
	for g := range r.NumRowGroups() {
		group, err := r.GetBloomFilterReader().RowGroup(g)
		if err != nil {
			return nil, err
		}
		filter, err := group.GetColumnBloomFilter(0)
		if err != nil {
			return nil, err
		}
		typed := metadata.TypedBloomFilter[int64]{BloomFilter: filter}
		if slices.ContainsFunc(ids, typed.Check) {
			left = append(left, g)
		}
	}
	return left, nil
}

// BenchmarkPrune looks up values that the file lacks. At a rate of 1 %, a row group is left after about 100 of them,
// and at 1 in 100,000 most of 10,000 values are looked up everywhere.
func BenchmarkPrune(b *testing.B) {
	for _, fpr := range []float64{0.01, 0.00001} {
		path := manyFile(b, fpr)
		opened, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer opened.Close()
		info, err := opened.Stat()
		if err != nil {
			b.Fatal(err)
		}
		mapped, err := unix.Mmap(int(opened.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
		if err != nil {
			b.Fatal(err)
		}
		defer unix.Munmap(mapped)
		for _, n := range []int{1, 100, 10_000} {
			of := fmt.Sprintf("rate=%v/values=%d/", fpr, n)
			ids := manyIDs(manyRows+1, n)
			benchmarkLoop(b, of+"mapped/loop", path, true, ids)
			benchmarkOurs(b, of+"mapped/", ids, func() (*parquet.File, error) { return parquet.OpenBytes(mapped) })
			benchmarkLoop(b, of+"readat/loop", path, false, ids)
			r, err := file.NewParquetReader(opened)
			if err != nil {
				b.Fatal(err)
			}
			benchmarkOurs(b, of+"readat/", ids, func() (*parquet.File, error) { return arrow.Open(opened, info.Size(), r.MetaData()) })
		}
	}
}

func benchmarkLoop(b *testing.B, name, path string, mapped bool, ids []int64) {
	r, err := file.OpenParquetFile(path, mapped)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			left, err := loop(r, ids)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(len(left)), "groups")
		}
	})
}

// benchmarkOurs prunes with a file whose filters have to be read or opened, and with one that has kept them.
func benchmarkOurs(b *testing.B, name string, ids []int64, open func() (*parquet.File, error)) {
	prune := func(b *testing.B, f *parquet.File) {
		left, err := parquet.Prune(f, "id", ids)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(left)), "groups")
	}
	b.Run(name+"opened", func(b *testing.B) {
		for b.Loop() {
			f, err := open()
			if err != nil {
				b.Fatal(err)
			}
			prune(b, f)
		}
	})
	b.Run(name+"kept", func(b *testing.B) {
		f, err := open()
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			prune(b, f)
		}
	})
}
