package arrow_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"testing"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/arrow"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

const rowGroups, perGroup = 5, 3000

// The columns of the test's file, in the order of its schema, by their physical types. Every third row is NULL in
// "text".
func idOf(i int) int64            { return int64(i) * 11 }
func numberOf(i int) int32        { return int32(i) - 1000 }
func ratioOf(i int) float64       { return float64(i) / 8 }
func smallOf(i int) float32       { return float32(i) / 4 }
func textOf(i int) string         { return fmt.Sprint("text ", i%2500) }
func fixedOf(i int) string        { return fmt.Sprintf("%04x", i%4000) }
func oldOf(i int) (v [12]byte)    { copy(v[:], fmt.Sprintf("%012d", i)); return v }
func uuidOf(i int) string         { return fmt.Sprintf("%016x", uint64(i)*0x9e3779b97f4a7c15) }
func priceOf(i int) string        { return fmt.Sprintf("\x00%08x", i*7) }                           // big-endian
func halfOf(i int) string         { return string([]byte{byte(i + 1), byte((i + 1) >> 8 & 0x3f)}) } // little-endian, of small numbers
func flagOf(i int) bool           { return i >= 3*perGroup }
func isNull(i int) bool           { return i%3 == 0 }
func rowsOf(g int) (from, to int) { return g * perGroup, (g + 1) * perGroup }

// written returns a file of arrow-go, with its own filters if filters is true.
func written(t testing.TB, filters bool, properties ...arrowparquet.WriterProperty) []byte {
	t.Helper()
	logical := func(name string, l schema.LogicalType, of arrowparquet.Type, length int, r arrowparquet.Repetition) schema.Node {
		n, err := schema.NewPrimitiveNodeLogical(name, r, l, of, length, -1)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	primitive := func(name string, of arrowparquet.Type, length int, r arrowparquet.Repetition) schema.Node {
		return logical(name, nil, of, length, r)
	}
	required := arrowparquet.Repetitions.Required
	root, err := schema.NewGroupNode("schema", required, schema.FieldList{
		primitive("id", arrowparquet.Types.Int64, 0, required), primitive("number", arrowparquet.Types.Int32, 0, required),
		primitive("ratio", arrowparquet.Types.Double, 0, required), primitive("small", arrowparquet.Types.Float, 0, required),
		primitive("text", arrowparquet.Types.ByteArray, 0, arrowparquet.Repetitions.Optional),
		primitive("fixed", arrowparquet.Types.FixedLenByteArray, 4, required), primitive("old", arrowparquet.Types.Int96, 0, required),
		primitive("flag", arrowparquet.Types.Boolean, 0, required),
		logical("uuid", schema.UUIDLogicalType{}, arrowparquet.Types.FixedLenByteArray, 16, required),
		logical("price", schema.NewDecimalLogicalType(20, 2), arrowparquet.Types.FixedLenByteArray, 9, required),
		logical("half", schema.Float16LogicalType{}, arrowparquet.Types.FixedLenByteArray, 2, required),
	}, -1)
	if err != nil {
		t.Fatal(err)
	}
	properties = append(properties, arrowparquet.WithBloomFilterEnabled(filters))
	var sink bytes.Buffer
	w := file.NewParquetWriter(&sink, root, file.WithWriterProps(arrowparquet.NewWriterProperties(properties...)))
	for g := range rowGroups {
		group, err := w.AppendRowGroupChecked()
		if err != nil {
			t.Fatal(err)
		}
		from, to := rowsOf(g)
		for range root.NumFields() {
			c, err := group.NextColumn()
			if err != nil {
				t.Fatal(err)
			}
			switch c := c.(type) {
			case *file.Int64ColumnChunkWriter:
				_, err = c.WriteBatch(collect(from, to, idOf), nil, nil)
			case *file.Int32ColumnChunkWriter:
				_, err = c.WriteBatch(collect(from, to, numberOf), nil, nil)
			case *file.Float64ColumnChunkWriter:
				_, err = c.WriteBatch(collect(from, to, ratioOf), nil, nil)
			case *file.Float32ColumnChunkWriter:
				_, err = c.WriteBatch(collect(from, to, smallOf), nil, nil)
			case *file.ByteArrayColumnChunkWriter:
				var values []arrowparquet.ByteArray
				levels := make([]int16, 0, perGroup)
				for i := from; i < to; i++ {
					if isNull(i) {
						levels = append(levels, 0)
					} else {
						levels, values = append(levels, 1), append(values, arrowparquet.ByteArray(textOf(i)))
					}
				}
				_, err = c.WriteBatch(values, levels, nil)
			case *file.FixedLenByteArrayColumnChunkWriter:
				_, err = c.WriteBatch(collect(from, to, bytesOf(map[string]func(int) string{"fixed": fixedOf, "uuid": uuidOf, "price": priceOf, "half": halfOf}[c.Descr().Name()])), nil, nil)
			case *file.Int96ColumnChunkWriter:
				_, err = c.WriteBatch(collect(from, to, func(i int) arrowparquet.Int96 { return oldOf(i) }), nil, nil)
			case *file.BooleanColumnChunkWriter:
				_, err = c.WriteBatch(collect(from, to, flagOf), nil, nil)
			}
			if err == nil {
				err = c.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := group.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return sink.Bytes()
}

func bytesOf(of func(int) string) func(int) arrowparquet.FixedLenByteArray {
	return func(i int) arrowparquet.FixedLenByteArray { return []byte(of(i)) }
}

func collect[T any](from, to int, of func(int) T) (values []T) {
	for i := from; i < to; i++ {
		values = append(values, of(i))
	}
	return values
}

func reader(t testing.TB, data []byte) *file.Reader {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// opened opens a file by arrow-go's metadata, and by this library's reading of the footer, which must be the same.
func opened(t testing.TB, data []byte) *parquet.File {
	t.Helper()
	f, err := arrow.Open(bytes.NewReader(data), int64(len(data)), reader(t, data).MetaData())
	if err != nil {
		t.Fatal(err)
	}
	own, err := parquet.OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	if f.NumRowGroups() != own.NumRowGroups() || fmt.Sprint(f.Columns()) != fmt.Sprint(own.Columns()) {
		t.Fatalf("%d row groups of %v, and %d of %v", f.NumRowGroups(), f.Columns(), own.NumRowGroups(), own.Columns())
	}
	end := len(data) - 8
	want, err := footer.Parse(data[end-int(binary.LittleEndian.Uint32(data[end:])) : end])
	if err != nil {
		t.Fatal(err)
	}
	got, err := arrow.FooterOf(reader(t, data).MetaData())
	if err != nil || got.CreatedBy != want.CreatedBy || fmt.Sprint(got.RowGroups) != fmt.Sprint(want.RowGroups) {
		t.Fatalf("%+v, want %+v, %v", got, want, err)
	}
	return f
}

var names = []string{"id", "number", "ratio", "small", "text", "fixed", "old", "uuid", "price", "half"}

// checkPruning looks up every value of the file, and values that are absent.
func checkPruning(t *testing.T, f *parquet.File) {
	t.Helper()
	ids := check(t, f, "id", idOf, nil)
	numbers := check(t, f, "number", numberOf, nil)
	ratios := check(t, f, "ratio", ratioOf, nil)
	smalls := check(t, f, "small", smallOf, nil)
	check(t, f, "text", textOf, isNull)
	olds := check(t, f, "old", oldOf, nil)
	check(t, f, "fixed", fixedOf, nil)
	uuids := check(t, f, "uuid", uuidOf, nil)
	prices := check(t, f, "price", priceOf, nil)
	check(t, f, "half", halfOf, nil)
	for name, rate := range map[string]float64{"id": ids, "number": numbers, "ratio": ratios, "small": smalls, "old": olds, "uuid": uuids, "price": prices} {
		if rate > 0.03 {
			t.Errorf("column %s: a false-positive rate of %v", name, rate)
		}
	}
}

// check looks up all values, and returns the false-positive rate of values of rows far behind the last.
func check[T parquet.Value](t *testing.T, f *parquet.File, column string, of func(int) T, null func(int) bool) float64 {
	t.Helper()
	for g := range rowGroups {
		from, to := rowsOf(g)
		for i := from; i < to; i++ {
			if null != nil && null(i) {
				continue
			}
			if got, err := parquet.PruneAmong(f, column, []T{of(i)}, []int{g}); err != nil || len(got) != 1 {
				t.Fatalf("column %s: %v is not in row group %d: %v, %v", column, of(i), g, got, err)
			}
		}
	}
	filters, err := f.Filters(column)
	if err != nil {
		t.Fatal(err)
	}
	hits := 0
	for _, filter := range filters {
		hits += len(filter.AppendHits(nil, parquet.AppendHashes(nil, collect(1e6, 1e6+perGroup, of))))
	}
	return float64(hits) / (rowGroups * perGroup)
}

func TestReadsArrows(t *testing.T) {
	for name, properties := range map[string][]arrowparquet.WriterProperty{
		"dictionaries": {},
		"plain":        {arrowparquet.WithDictionaryDefault(false), arrowparquet.WithBloomFilterFPP(0.01)},
	} {
		t.Run(name, func(t *testing.T) { checkPruning(t, opened(t, written(t, true, properties...))) })
	}
}

func TestSameBits(t *testing.T) {
	data := written(t, true)
	theirs := opened(t, data)
	ours, err := arrow.Build(reader(t, data), 0.01, names...)
	if err != nil {
		t.Fatal(err)
	}
	hashes := map[string]func(from, to int) []uint64{
		"id":     func(from, to int) []uint64 { return parquet.AppendHashes(nil, collect(from, to, idOf)) },
		"number": func(from, to int) []uint64 { return parquet.AppendHashes(nil, collect(from, to, numberOf)) },
		"fixed":  func(from, to int) []uint64 { return parquet.AppendHashes(nil, collect(from, to, fixedOf)) },
		"old":    func(from, to int) []uint64 { return parquet.AppendHashes(nil, collect(from, to, oldOf)) },
		"uuid":   func(from, to int) []uint64 { return parquet.AppendHashes(nil, collect(from, to, uuidOf)) },
		"price":  func(from, to int) []uint64 { return parquet.AppendHashes(nil, collect(from, to, priceOf)) },
		"half":   func(from, to int) []uint64 { return parquet.AppendHashes(nil, collect(from, to, halfOf)) },
	}
	for name, of := range hashes {
		filters, err := theirs.Filters(name)
		if err != nil {
			t.Fatal(err)
		}
		for g, filter := range filters {
			for _, want := range []*simdbloom.Filter{filter, ours[name][g]} {
				b, err := splitblock.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(want.SizeBytes()))
				if err != nil {
					t.Fatal(err)
				}
				b.AddHashes(of(rowsOf(g)))
				if got, err := b.Finish(); err != nil || !bytes.Equal(got, want.Bytes()) {
					t.Errorf("column %s, row group %d: other bits, %v", name, g, err)
				}
			}
		}
	}
}

// TestArrowReadsOurs adds filters to a file without any, and replaces those of one with arrow-go's.
func TestArrowReadsOurs(t *testing.T) {
	for _, had := range []bool{false, true} {
		data := written(t, had)
		filters, err := arrow.Build(reader(t, data), 0.01, names...)
		if err != nil {
			t.Fatal(err)
		}
		var changed bytes.Buffer
		if err := parquet.WriteWithFilters(&changed, bytes.NewReader(data), int64(len(data)), filters, parquet.WithAnyType()); err != nil {
			t.Fatal(err)
		}
		checkPruning(t, opened(t, changed.Bytes()))
		r := reader(t, changed.Bytes())
		for g := range rowGroups {
			group, err := r.GetBloomFilterReader().RowGroup(g)
			if err != nil {
				t.Fatal(err)
			}
			from, to := rowsOf(g)
			agrees(t, group, 0, filters["id"][g], collect(from, to+perGroup, idOf), true)
			agrees(t, group, 1, filters["number"][g], collect(from, to+perGroup, numberOf), true)
			agrees(t, group, 2, filters["ratio"][g], collect(from, to+perGroup, ratioOf), true)
			agrees(t, group, 3, filters["small"][g], collect(from, to+perGroup, smallOf), true)
			agrees(t, group, 4, filters["text"][g], collect(from, to, func(i int) arrowparquet.ByteArray { return arrowparquet.ByteArray(textOf(i)) }), false)
			agrees(t, group, 5, filters["fixed"][g], collect(from, to, bytesOf(fixedOf)), true)
			agrees(t, group, 6, filters["old"][g], collect(from, to, func(i int) arrowparquet.Int96 { return oldOf(i) }), true)
			agrees(t, group, 8, filters["uuid"][g], collect(from, to+perGroup, bytesOf(uuidOf)), true)
			agrees(t, group, 9, filters["price"][g], collect(from, to+perGroup, bytesOf(priceOf)), true)
			agrees(t, group, 10, filters["half"][g], collect(from, to+perGroup, bytesOf(halfOf)), true)
		}
		same(t, r, reader(t, data))
	}
}

// agrees compares arrow-go's answers with ours, and requires the values of the row group if all are in it.
func agrees[T arrowparquet.ColumnTypes](t *testing.T, group *metadata.RowGroupBloomFilterReader, column int, ours *simdbloom.Filter, values []T, all bool) {
	t.Helper()
	filter, err := group.GetColumnBloomFilter(column)
	if err != nil || filter == nil {
		t.Fatalf("column %d: no filter, %v", column, err)
	}
	for i, v := range values {
		got := filter.CheckHash(metadata.GetHash(filter.Hasher(), v))
		if got != ours.ContainsHash(metadata.GetHash(filter.Hasher(), v)) || all && i < perGroup && !got {
			t.Fatalf("column %d: value %d, %v: arrow-go says %v", column, i, v, got)
		}
	}
}

// same compares all ids of two files.
func same(t *testing.T, a, b *file.Reader) {
	t.Helper()
	for g := range rowGroups {
		var read [2][]int64
		for i, r := range []*file.Reader{a, b} {
			c, err := r.RowGroup(g).Column(0)
			if err != nil {
				t.Fatal(err)
			}
			read[i] = make([]int64, perGroup)
			if _, n, err := c.(*file.Int64ColumnChunkReader).ReadBatch(perGroup, read[i], nil, nil); n != perGroup || err != nil && err != io.EOF {
				t.Fatalf("%d values, %v", n, err)
			}
		}
		if from, to := rowsOf(g); !slices.Equal(read[0], read[1]) || !slices.Equal(read[0], collect(from, to, idOf)) {
			t.Errorf("row group %d: other values", g)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	r := reader(t, written(t, false))
	if _, err := arrow.Build(r, 0.01, "none"); err == nil {
		t.Error("no error for a column that does not exist")
	}
	if _, err := arrow.Build(r, 0, "id"); err == nil {
		t.Error("no error for a rate of 0")
	}
	if _, err := arrow.Build(r, 0.01, "flag"); err == nil {
		t.Error("no error for BOOLEAN")
	}
}

// TestFoldedFilters reads filters as Arrow C++ writes them if it reserved too much: neighboring blocks are merged.
func TestFoldedFilters(t *testing.T) {
	data := written(t, true)
	filters, err := opened(t, data).Filters("id")
	if err != nil {
		t.Fatal(err)
	}
	for g, filter := range filters {
		whole := filter.Bytes()
		half := make([]byte, len(whole)/2)
		for i, b := range whole {
			half[i/64*32+i%32] |= b
		}
		if filters[g], err = splitblock.Open(half, keyhash.XX64); err != nil {
			t.Fatal(err)
		}
	}
	var changed bytes.Buffer
	if err := parquet.WriteWithFilters(&changed, bytes.NewReader(data), int64(len(data)), map[string][]*simdbloom.Filter{"id": filters}); err != nil {
		t.Fatal(err)
	}
	f := opened(t, changed.Bytes())
	check(t, f, "id", idOf, nil)
	if read, err := f.Filters("id"); err != nil || read[0].SizeBytes() != filters[0].SizeBytes() {
		t.Errorf("filters of %d bytes are read, %v", read[0].SizeBytes(), err)
	}
}
