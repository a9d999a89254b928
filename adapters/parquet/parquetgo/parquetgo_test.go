package parquetgo_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/gzip"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

const rowGroups, perGroup = 4, 2000

type row struct {
	ID     int64            `parquet:"id"`
	Number int32            `parquet:"number,dict"`
	Ratio  float64          `parquet:"ratio"`
	Small  float32          `parquet:"small"`
	Flag   bool             `parquet:"flag"`
	Fixed  [4]byte          `parquet:"fixed"`
	Old    deprecated.Int96 `parquet:"old"`
	UUID   [16]byte         `parquet:"uuid,uuid"`
	Cents  int32            `parquet:"cents,decimal(2:9)"`
	Price  [9]byte          `parquet:"price,decimal(2:20)"`
	Name   string           `parquet:"name,dict"`
	Maybe  *string          `parquet:"maybe,optional"`
	Flags  []bool           `parquet:"flags,list"`
	Nested struct {
		Tags []string `parquet:"tags"`
	} `parquet:"nested"`
}

func rowOf(i int) (r row) {
	r.ID, r.Number, r.Ratio, r.Small, r.Flag = int64(i)*11, int32(i)/3-100, float64(i)/8, float32(i)/4, i >= perGroup
	copy(r.Fixed[:], fmt.Sprintf("%04x", i))
	r.Old = deprecated.Int96{uint32(i), uint32(i) * 77, 2450000}
	binary.BigEndian.PutUint64(r.UUID[8:], uint64(i)*0x9e3779b97f4a7c15)
	r.Cents = int32(i) * 5
	binary.BigEndian.PutUint64(r.Price[1:], uint64(i)*99)
	r.Name = fmt.Sprint("name ", i/5)
	if i%3 == 0 && i >= perGroup { // the first row group has NULLs only
		s := fmt.Sprint("maybe ", i)
		r.Maybe = &s
	}
	for j := range i % 4 {
		r.Nested.Tags = append(r.Nested.Tags, fmt.Sprint("tag ", i, j))
		r.Flags = append(r.Flags, true)
	}
	return r
}

// oldOf is a row's INT96, whose words are little-endian in files.
func oldOf(r row) (v [12]byte) {
	for i, word := range r.Old {
		binary.LittleEndian.PutUint32(v[4*i:], word)
	}
	return v
}

var names = []string{"id", "number", "ratio", "small", "fixed", "old", "uuid", "cents", "price", "name", "maybe", "nested.tags"}

func written(t testing.TB, options ...parquetgo.WriterOption) []byte {
	t.Helper()
	var sink bytes.Buffer
	w := parquetgo.NewGenericWriter[row](&sink, options...)
	for g := range rowGroups {
		var rows []row
		for i := range perGroup {
			rows = append(rows, rowOf(g*perGroup+i))
		}
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return sink.Bytes()
}

// filtered are options that make parquet-go write its own filters.
func filtered() parquetgo.WriterOption {
	var columns []parquetgo.BloomFilterColumn
	for _, name := range names {
		columns = append(columns, parquetgo.SplitBlockFilter(12, splitName(name)...))
	}
	return parquetgo.BloomFilters(columns...)
}

func file(t testing.TB, data []byte) *parquetgo.File {
	t.Helper()
	f, err := parquetgo.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// opened opens a file by parquet-go's metadata, and by this library's reading of the footer, which must be the same.
func opened(t testing.TB, data []byte) *parquet.File {
	t.Helper()
	f, err := adapter.Open(file(t, data))
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
	if got := adapter.FooterOf(file(t, data)); got.CreatedBy != want.CreatedBy || fmt.Sprint(got.RowGroups) != fmt.Sprint(want.RowGroups) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	return f
}

// checkPruning looks up every value of the file.
func checkPruning(t *testing.T, f *parquet.File) {
	t.Helper()
	for i := range rowGroups * perGroup {
		r, g := rowOf(i), i/perGroup
		find(t, f, g, "id", r.ID)
		find(t, f, g, "number", r.Number)
		find(t, f, g, "ratio", r.Ratio)
		find(t, f, g, "small", r.Small)
		find(t, f, g, "fixed", string(r.Fixed[:]))
		find(t, f, g, "old", oldOf(r))
		find(t, f, g, "uuid", r.UUID[:])
		find(t, f, g, "cents", r.Cents)
		find(t, f, g, "price", r.Price[:])
		find(t, f, g, "name", r.Name)
		if r.Maybe != nil {
			find(t, f, g, "maybe", *r.Maybe)
		}
		for _, tag := range r.Nested.Tags {
			find(t, f, g, "nested.tags", tag)
		}
	}
	hits := 0
	for i := range int64(1000) {
		got, err := parquet.Prune(f, "id", []int64{11*i + 1})
		if err != nil {
			t.Fatal(err)
		}
		hits += len(got)
	}
	if hits > rowGroups*1000/20 {
		t.Errorf("%d of %d lookups of absent values are false positives", hits, rowGroups*1000)
	}
}

func find[T parquet.Value](t *testing.T, f *parquet.File, g int, column string, value T) {
	t.Helper()
	if got, err := parquet.PruneAmong(f, column, []T{value}, []int{g}); err != nil || len(got) != 1 {
		t.Fatalf("column %s: %v is not in row group %d: %v, %v", column, value, g, got, err)
	}
}

func TestReadsParquetGos(t *testing.T) { checkPruning(t, opened(t, written(t, filtered()))) }

func TestSameBits(t *testing.T) {
	data := written(t, filtered())
	theirs, own := opened(t, data), file(t, data)
	ours, err := adapter.Build(own, 0.01, names...)
	if err != nil {
		t.Fatal(err)
	}
	for g := range rowGroups {
		var ids []int64
		var fixed, texts, tags, uuids, prices []string
		var olds [][12]byte
		for i := range perGroup {
			r := rowOf(g*perGroup + i)
			ids, fixed, texts, tags = append(ids, r.ID), append(fixed, string(r.Fixed[:])), append(texts, r.Name), append(tags, r.Nested.Tags...)
			olds, uuids, prices = append(olds, oldOf(r)), append(uuids, string(r.UUID[:])), append(prices, string(r.Price[:]))
		}
		for name, hashes := range map[string][]uint64{
			"id": parquet.AppendHashes(nil, ids), "fixed": parquet.AppendHashes(nil, fixed),
			"old": parquet.AppendHashes(nil, olds), "uuid": parquet.AppendHashes(nil, uuids), "price": parquet.AppendHashes(nil, prices),
			"name": parquet.AppendHashes(nil, texts), "nested.tags": parquet.AppendHashes(nil, tags),
		} {
			filters, err := theirs.Filters(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []*simdbloom.Filter{filters[g], ours[name][g]} {
				b, err := splitblock.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(want.SizeBytes()))
				if err != nil {
					t.Fatal(err)
				}
				b.AddHashes(hashes)
				if got, err := b.Finish(); err != nil || !bytes.Equal(got, want.Bytes()) {
					t.Errorf("column %s, row group %d: other bits, %v", name, g, err)
				}
			}
		}
	}
}

// TestParquetGoReadsOurs adds filters to a file without any, and replaces those of one with parquet-go's.
func TestParquetGoReadsOurs(t *testing.T) {
	for _, options := range [][]parquetgo.WriterOption{nil, {filtered()}} {
		data := written(t, options...)
		filters, err := adapter.Build(file(t, data), 0.01, names...)
		if err != nil {
			t.Fatal(err)
		}
		var changed bytes.Buffer
		if err := parquet.WriteWithFilters(&changed, bytes.NewReader(data), int64(len(data)), filters, parquet.WithAnyType()); err != nil {
			t.Fatal(err)
		}
		checkPruning(t, opened(t, changed.Bytes()))
		f := file(t, changed.Bytes())
		for name, of := range map[string]func(row) (value any, plain []byte){
			"name":  func(r row) (any, []byte) { return r.Name, []byte(r.Name) },
			"old":   func(r row) (any, []byte) { v := oldOf(r); return r.Old, v[:] },
			"uuid":  func(r row) (any, []byte) { return r.UUID, r.UUID[:] },
			"cents": func(r row) (any, []byte) { return r.Cents, binary.LittleEndian.AppendUint32(nil, uint32(r.Cents)) },
			"price": func(r row) (any, []byte) { return r.Price, r.Price[:] },
		} {
			leaf, _ := f.Schema().Lookup(name)
			for g, group := range f.RowGroups() {
				filter := group.ColumnChunks()[leaf.ColumnIndex].BloomFilter()
				for i := range rowGroups * perGroup {
					v, plain := of(rowOf(i))
					got, err := filter.Check(parquetgo.ValueOf(v))
					if err != nil || got != filters[name][g].Contains(plain) || i/perGroup == g && !got {
						t.Fatalf("row group %d, column %s, %v: parquet-go says %v, %v", g, name, v, got, err)
					}
				}
			}
		}
		rows, err := parquetgo.Read[row](bytes.NewReader(changed.Bytes()), int64(changed.Len()))
		if err != nil || len(rows) != rowGroups*perGroup {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for i, r := range rows {
			if r.ID != rowOf(i).ID || r.Name != rowOf(i).Name {
				t.Fatalf("row %d is %+v", i, r)
			}
		}
	}
}

// TestBooleans says why filters of BOOLEAN columns are not used: parquet-go does not find its own values.
func TestBooleans(t *testing.T) {
	f := file(t, written(t, parquetgo.BloomFilters(parquetgo.SplitBlockFilter(12, "flag"))))
	leaf, _ := f.Schema().Lookup("flag")
	may, err := f.RowGroups()[1].ColumnChunks()[leaf.ColumnIndex].BloomFilter().Check(parquetgo.ValueOf(true))
	if err != nil || may {
		t.Errorf("parquet-go finds true, of which the row group consists: %v, %v", may, err)
	}
}

func TestCompressedFilters(t *testing.T) {
	f := opened(t, written(t, filtered(), parquetgo.BloomFilterCompression(&gzip.Codec{})))
	if got, err := parquet.Prune(f, "id", []int64{1}); err != nil || len(got) != rowGroups {
		t.Errorf("%v, %v", got, err)
	}
	unusable := f.Unusable()
	if len(unusable) != rowGroups || !errors.Is(unusable[0], simdbloom.ErrCorrupt) || !strings.Contains(unusable[0].Error(), "gzip") {
		t.Errorf("%v are unusable", unusable)
	}
	for _, v := range must(adapter.Verify(file(t, written(t, filtered(), parquetgo.BloomFilterCompression(&gzip.Codec{}))), "id")) {
		if v.Err == nil || !strings.Contains(v.Err.Error(), "gzip") {
			t.Errorf("%+v", v)
		}
	}
}

// TestEncodings: without their statistics, those of a chunk's pages may be any that it names.
func TestEncodings(t *testing.T) {
	f := file(t, written(t))
	m := &f.Metadata().RowGroups[0].Columns[0].MetaData
	want := uint64(0)
	for _, encoding := range m.Encoding {
		want |= 1 << encoding
	}
	m.EncodingStats = nil
	if got := adapter.FooterOf(f).RowGroups[0][0].Encodings; uint64(got) != want || want == 0 {
		t.Errorf("%#x, want %#x", got, want)
	}
}

func TestBuildRefuses(t *testing.T) {
	f := file(t, written(t))
	if _, err := adapter.Build(f, 0.01, "none"); err == nil {
		t.Error("no error for a column that does not exist")
	}
	if _, err := adapter.Build(f, 0, "id"); err == nil {
		t.Error("no error for a rate of 0")
	}
	if _, err := adapter.Build(f, 0.01, "nested"); err == nil {
		t.Error("no error for a group")
	}
	if _, err := adapter.Build(f, 0.01, "flag"); err == nil {
		t.Error("no error for BOOLEAN")
	}
}

func splitName(name string) []string { return strings.Split(name, ".") }
