package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// tree is any struct, for comparisons: its fields but those of filters, as texts and other trees.
func tree(r *thrift.Reader, without ...int16) (fields []any) {
	for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
		v := value(r, t)
		if !slices.Contains(without, id) {
			fields = append(fields, id, t, v)
		}
	}
	return fields
}

func value(r *thrift.Reader, t thrift.Type) any {
	switch t {
	case thrift.Struct:
		return tree(r, 14, 15) // nothing else in the tests' files has these ids
	case thrift.List:
		var elements []any
		for n, of := r.Elements(t); n > 0; n-- {
			elements = append(elements, value(r, of))
		}
		return elements
	}
	from := r.At()
	r.Skip(t)
	return string(r.Span(from))
}

func TestFooterIsTheOldOne(t *testing.T) {
	file := image(columns, 3)
	filters := parquet.Filters{
		"id":          {filterOf[int64](t, 1, 2), nil, filterOf[int64](t, 3)},
		"nested.name": {nil, filterOf(t, "a"), filterOf[string](t)},
	}
	written := with(t, file, filters)
	for range 100 {
		if !bytes.Equal(with(t, file, filters), written) {
			t.Fatal("the same filters are written in another order")
		}
	}
	end := len(file) - 8 - len(footerIn(file))
	if !bytes.Equal(written[:end], file[:end]) {
		t.Error("the data has changed")
	}
	old, changed := tree(thrift.NewReader(footerIn(file))), tree(thrift.NewReader(footerIn(written)))
	if !reflect.DeepEqual(old, changed) {
		t.Errorf("the footer was\n%v\nand is\n%v", old, changed)
	}
	f, err := parquet.OpenBytes(written)
	if err != nil {
		t.Fatal(err)
	}
	if filters, err := f.Filters("none"); err == nil {
		t.Errorf("filters of no column: %v", filters)
	}
	for c, column := range f.Columns() {
		want := parquet.Column{Path: columns[c].Path, Type: columns[c].Type.String(), Length: columns[c].Length, Logical: columns[c].Logical.String()}
		if !reflect.DeepEqual(column, want) {
			t.Errorf("column %d is %v", c, column)
		}
		opened, err := f.Filters(column.Name())
		if err != nil {
			t.Fatal(err)
		}
		for g := range opened {
			var want *simdbloom.Filter
			if of := filters[column.Name()]; of != nil {
				want = of[g]
			}
			chunk := f.Chunk(g, c)
			if (want == nil) != (opened[g] == nil) || (want == nil) != (chunk.FilterOffset == 0) || chunk.Values != 100 {
				t.Errorf("row group %d, column %d: a filter, or none: %+v", g, c, chunk)
			} else if want != nil && !bytes.Equal(opened[g].Bytes(), want.Bytes()) {
				t.Errorf("row group %d, column %d: other bits", g, c)
			} else if want != nil && (chunk.FilterOffset+int64(chunk.FilterLength)-int64(want.SizeBytes()))%64 != 0 {
				t.Errorf("row group %d, column %d: its bits begin at no multiple of 64", g, c)
			}
		}
	}
	again := with(t, written, parquet.Filters{"id": {nil, filterOf[int64](t, 5), filterOf[int64](t, 6)}})
	if before, after := fieldsOfFilters(written), fieldsOfFilters(again); before != 2*4 || after != 2*5 {
		t.Errorf("%d and %d fields of filters: every filter has two", before, after)
	}
	for value, want := range map[int64][]int{1: {0}, 3: nil, 5: {1}, 6: {2}} {
		f, err := parquet.OpenBytes(again)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := parquet.Prune(f, "id", []int64{value}); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d: row groups %v and not %v, %v", value, got, want, err)
		}
	}
}

// fieldsOfFilters returns how often the fields of filters are in a file's footer.
func fieldsOfFilters(file []byte) (n int) {
	r := thrift.NewReader(footerIn(file))
	for id, of := r.Field(0); of != thrift.Stop; id, of = r.Field(id) {
		if id != 4 {
			r.Skip(of)
			continue
		}
		for groups, _ := r.Elements(of); groups > 0; groups-- {
			eachField(r, 1, func(of thrift.Type) {
				for chunks, _ := r.Elements(of); chunks > 0; chunks-- {
					eachField(r, 3, func(thrift.Type) {
						for id, of := r.Field(0); of != thrift.Stop; id, of = r.Field(id) {
							r.Skip(of)
							if id == 14 || id == 15 {
								n++
							}
						}
					})
				}
			})
		}
	}
	return n
}

// eachField reads a struct, and calls read for the field with the given id.
func eachField(r *thrift.Reader, id int16, read func(of thrift.Type)) {
	for next, of := r.Field(0); of != thrift.Stop; next, of = r.Field(next) {
		if next == id {
			read(of)
		} else {
			r.Skip(of)
		}
	}
}

// TestBitsBeginAtLines: wherever the data ends, and whatever filters are before, a filter's bits begin at a multiple of
// 64.
func TestBitsBeginAtLines(t *testing.T) {
	var filters []*simdbloom.Filter
	for i := range 6 {
		b := must(splitblock.NewBuilder(16, keyhash.XX64, simdbloom.WithSizeBytes(32*(1+i))))
		b.AddUint64(uint64(i))
		filters = append(filters, must(b.Filter()))
	}
	for n := range 64 {
		old := image(columns, len(filters))
		file := ended(append(bytes.Clone(old[:len(old)-8-len(footerIn(old))]), make([]byte, n)...), footerIn(old))
		f := must(parquet.OpenBytes(with(t, file, parquet.Filters{"id": filters})))
		for g, filter := range filters {
			c := f.Chunk(g, 0)
			if at := c.FilterOffset + int64(c.FilterLength-filter.SizeBytes()); at%64 != 0 {
				t.Fatalf("%d bytes more, row group %d: the bits begin at %d", n, g, at)
			}
		}
	}
}

func TestAddFilters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := os.WriteFile(path, image(columns, 1), 0o640); err != nil {
		t.Fatal(err)
	}
	old := must(os.Stat(path)) // Windows has no group
	for i := range int64(2) {  // of the file in its place, twice
		if err := parquet.AddFilters(path, path, parquet.Filters{"id": {filterOf(t, i)}}); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want := with(t, image(columns, 1), parquet.Filters{"id": {filterOf(t, i)}}); i == 0 && !bytes.Equal(file, want) {
			t.Error("another file than WriteWithFilters writes")
		}
		f, err := parquet.OpenBytes(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := parquet.Prune(f, "id", []int64{i}); err != nil || len(got) != 1 {
			t.Errorf("%v, %v", got, err)
		}
	}
	before, _ := os.ReadFile(path)
	if err := parquet.AddFilters(path, path, parquet.Filters{"none": {nil}}); err == nil {
		t.Error("no error for a column that does not exist")
	}
	after, _ := os.ReadFile(path)
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	if !bytes.Equal(before, after) || len(files) != 0 {
		t.Errorf("an error changed the file, or left %v", files)
	}
	if info, _ := os.Stat(path); info.Mode() != old.Mode() {
		t.Errorf("permissions %v, and before %v", info.Mode(), old.Mode())
	}
}

func TestWriteRefuses(t *testing.T) {
	fastLocal, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	fastLocal.AddUint64(1)
	other, err := fastLocal.Filter()
	if err != nil {
		t.Fatal(err)
	}
	ofAnotherHash := must(splitblock.NewBuilder(10, keyhash.XXPH3))
	ofAnotherHash.AddUint64(1)
	otherHash := must(ofAnotherHash.Filter())
	file := image(columns, 1)
	signed := append(slices.Clone(footerIn(file)), 0)
	signed = append(signed[:len(signed)-2], append(thrift.AppendField(nil, 300, 9, thrift.Binary), 1, 'k', 0)...)
	encrypted := func(id int16) []byte { // a column's chunk is, and nothing else says so
		chunk := structOf{{id, thrift.Binary, text("by a key")}}.bytes()
		leaf := structOf{{1, thrift.I32, integer(1)}, {4, thrift.Binary, text("c")}}.bytes()
		return ended([]byte("PAR1"), structOf{
			{2, thrift.List, listOf(thrift.Struct, structOf{{5, thrift.I32, integer(1)}}.bytes(), leaf)},
			{3, thrift.I64, integer(1)},
			{4, thrift.List, listOf(thrift.Struct, structOf{{1, thrift.List, listOf(thrift.Struct, chunk)}}.bytes())},
		}.bytes())
	}
	for says, test := range map[string]struct {
		file    []byte
		filters parquet.Filters
	}{
		"columns are encrypted":                    {encrypted(8), parquet.Filters{"c": {nil}}},
		"columns are encrypted or ":                {encrypted(9), parquet.Filters{"c": {nil}}},
		`no column is named "nested": there are "`: {file, parquet.Filters{"nested": {nil}}},
		"0 filters for 1 row group":                {file, parquet.Filters{"id": {}}},
		"the zero Filter":                          {file, parquet.Filters{"id": {new(simdbloom.Filter)}}},
		"want " + keyhash.XX64.Name():              {file, parquet.Filters{"id": {otherHash}}},
		"format FastLocal":                         {file, parquet.Filters{"id": {other}}},
		"signed":                                   {ended([]byte("PAR1"), signed), parquet.Filters{"id": {nil}}},
		"does not end with PAR1":                   {file[:len(file)-1], nil},
		"encrypted":                                {append(slices.Clone(file[:len(file)-4]), "PARE"...), nil},
	} {
		err := parquet.WriteWithFilters(new(bytes.Buffer), bytes.NewReader(test.file), int64(len(test.file)), test.filters)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in the error %v", says, err)
		}
	}
	broken := errors.New("the disk is full")
	for n := range 12 {
		err := parquet.WriteWithFilters(&failing{n, broken}, bytes.NewReader(file), int64(len(file)), parquet.Filters{"id": {filterOf[int64](t, 1)}})
		if n < 5 && !errors.Is(err, broken) {
			t.Errorf("write %d: %v", n, err)
		}
	}
}

// failing fails once, after n writes.
type failing struct {
	n   int
	err error
}

func (f *failing) Write(p []byte) (int, error) {
	f.n--
	if f.n == -1 {
		return 0, f.err
	}
	return len(p), nil
}

// TestFiltersOfNothing: a filter without keys has no bits, and so those of any format; it is written as one that has no
// value.
func TestFiltersOfNothing(t *testing.T) {
	empty := must(must(bloom.NewBuilder(10, keyhash.XX64)).Filter())
	if empty.SizeBytes() != 0 {
		t.Fatalf("%d bytes", empty.SizeBytes())
	}
	f := must(parquet.OpenBytes(with(t, image(columns, 1), parquet.Filters{"id": {empty}})))
	if got, err := parquet.Prune(f, "id", []int64{1}); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func ExampleAddFilters() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "a.parquet")
	if err := os.WriteFile(path, image(columns, 2), 0o666); err != nil { // a file of any writer
		panic(err)
	}

	// One filter for each row group. Packages arrow and parquetgo build them from the file's values.
	var filters []*simdbloom.Filter
	for _, values := range [][]int64{{1, 2, 3}, {4, 5, 6}} {
		f, err := parquet.NewFilter(parquet.AppendHashes(nil, values), 0.01)
		if err != nil {
			panic(err)
		}
		filters = append(filters, f)
	}
	if err := parquet.AddFilters(path, path, parquet.Filters{"id": filters}); err != nil {
		panic(err)
	}

	data, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	file, err := parquet.OpenBytes(data)
	if err != nil {
		panic(err)
	}
	rowGroups, err := parquet.Prune(file, "id", []int64{5, 17})
	fmt.Println(rowGroups, err)
	// Output: [1] <nil>
}

// TestTypesThatDuckDBGetsWrong are refused unless they are allowed, and only these.
func TestTypesThatDuckDBGetsWrong(t *testing.T) {
	filter := filterOf[int64](t, 1)
	for _, test := range []struct {
		column  footer.Column
		refused bool
	}{
		{footer.Column{Type: footer.Int32}, false},
		{footer.Column{Type: footer.Int64}, false},
		{footer.Column{Type: footer.Float}, true},
		{footer.Column{Type: footer.Double}, true},
		{footer.Column{Type: footer.FixedLenByteArray, Length: 2}, true},
		{footer.Column{Type: footer.ByteArray, Logical: footer.Logical{Kind: footer.String}}, false}, // as image writes it
	} {
		test.column.Path = []string{"a"}
		file := image([]footer.Column{test.column, {Path: []string{"b", "c"}, Type: footer.Int64}}, 1)
		for _, allowed := range []bool{false, true} {
			var options []parquet.WriteOption
			if allowed {
				options = append(options, nil, parquet.WithAnyType())
			}
			err := parquet.WriteWithFilters(new(bytes.Buffer), bytes.NewReader(file), int64(len(file)), parquet.Filters{"a": {filter}}, options...)
			if (err != nil) != (test.refused && !allowed) || err != nil && !strings.Contains(err.Error(), "DuckDB") {
				t.Errorf("%v, allowed %v: %v", test.column, allowed, err)
			}
		}
	}
}

// TestAppendZeros: who adds one zero adds both.
func TestAppendZeros(t *testing.T) {
	negative := math.Copysign(0, -1)
	for _, test := range []struct {
		column             footer.Column
		zero, minus, other []uint64
	}{
		{footer.Column{Type: footer.Double}, parquet.AppendHashes(nil, []float64{0}), parquet.AppendHashes(nil, []float64{negative}), parquet.AppendHashes(nil, []float64{1})},
		{footer.Column{Type: footer.Float}, parquet.AppendHashes(nil, []float32{0}), parquet.AppendHashes(nil, []float32{float32(negative)}), parquet.AppendHashes(nil, []float32{1})},
		{footer.Column{Type: footer.FixedLenByteArray, Logical: footer.Logical{Kind: footer.Float16}}, parquet.AppendHashes(nil, []string{"\x00\x00"}), parquet.AppendHashes(nil, []string{"\x00\x80"}), parquet.AppendHashes(nil, []string{"\x00\x3c"})},
	} {
		both := slices.Concat(test.other, test.zero, test.minus)
		for _, has := range [][]uint64{test.zero, test.minus} {
			if got := test.column.AppendZeros(slices.Concat(test.other, has)); len(got) != 3 || !slices.Contains(got, test.zero[0]) || !slices.Contains(got, test.minus[0]) {
				t.Errorf("%v: %x", test.column, got)
			}
		}
		if got := test.column.AppendZeros(slices.Clone(both)); !slices.Equal(got, both) {
			t.Errorf("%v: %x", test.column, got)
		}
		if got := test.column.AppendZeros(slices.Clone(test.other)); !slices.Equal(got, test.other) {
			t.Errorf("%v: %x", test.column, got)
		}
		integers := footer.Column{Type: footer.Int64}
		if got := integers.AppendZeros(slices.Clone(test.zero)); len(got) != 1 {
			t.Errorf("INT64: %x", got)
		}
	}
}
