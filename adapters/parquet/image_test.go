package parquet_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
)

// structOf is a struct of the compact protocol: fields, ids ascending, with the bytes of their values.
type structOf []fieldOf

type fieldOf struct {
	id    int16
	of    thrift.Type
	value []byte
}

func (s structOf) bytes() (data []byte) {
	last := int16(0)
	for _, f := range s {
		data = append(thrift.AppendField(data, last, f.id, f.of), f.value...)
		last = f.id
	}
	return append(data, 0)
}

func integer(v int64) []byte { return thrift.AppendInt(nil, v) }

func text(s string) []byte { return append(binary.AppendUvarint(nil, uint64(len(s))), s...) }

func listOf(of thrift.Type, elements ...[]byte) []byte {
	data := binary.AppendUvarint([]byte{0xf0 | byte(of)}, uint64(len(elements)))
	return append(data, bytes.Join(elements, nil)...)
}

// unknown are fields of a struct that this package does not know.
var unknown = []fieldOf{
	{20, thrift.Struct, structOf{{1, thrift.I64, integer(-5)}, {9, thrift.True, nil}}.bytes()},
	{21, thrift.False, nil},
	{300, thrift.Binary, text("of the future")},
}

// data is what the test's files have in place of pages.
var data = bytes.Repeat([]byte("pages "), 100)

// image is a Parquet file without filters: its columns are a group "nested" of all of the columns but the first.
func image(columns []footer.Column, rowGroups int) []byte {
	element := func(c footer.Column) []byte {
		return structOf{
			{1, thrift.I32, integer(int64(c.Type))},
			{2, thrift.I32, integer(int64(c.Length))},
			{3, thrift.I32, integer(1)},
			{4, thrift.Binary, text(c.Path[len(c.Path)-1])},
			{10, thrift.Struct, structOf{{1, thrift.Struct, []byte{0}}}.bytes()},
		}.bytes()
	}
	group := func(name string, children int) []byte {
		return structOf{{4, thrift.Binary, text(name)}, {5, thrift.I32, integer(int64(children))}}.bytes()
	}
	schema := [][]byte{group("schema", 2), element(columns[0]), group("nested", len(columns)-1)}
	for _, c := range columns[1:] {
		schema = append(schema, element(c))
	}
	var groups [][]byte
	for g := range rowGroups {
		var chunks [][]byte
		for _, c := range columns {
			metadata := structOf{
				{1, thrift.I32, integer(int64(c.Type))},
				{2, thrift.List, listOf(thrift.I32, integer(0), integer(3))},
				{3, thrift.List, listOf(thrift.Binary, text(c.Path[0]))},
				{4, thrift.I32, integer(0)},
				{5, thrift.I64, integer(100)},
				{6, thrift.I64, integer(800)},
				{7, thrift.I64, integer(800)},
				{9, thrift.I64, integer(4)},
				{12, thrift.Struct, structOf{{3, thrift.I64, integer(7)}}.bytes()},
			}
			chunks = append(chunks, structOf{
				{2, thrift.I64, integer(4)}, {3, thrift.Struct, append(metadata, unknown...).bytes()}, {6, thrift.I64, integer(77)},
			}.bytes())
		}
		groups = append(groups, structOf{{1, thrift.List, listOf(thrift.Struct, chunks...)}, {3, thrift.I64, integer(100)}, {7, thrift.I16, integer(int64(g))}}.bytes())
	}
	footer := append(structOf{
		{1, thrift.I32, integer(2)},
		{2, thrift.List, listOf(thrift.Struct, schema...)},
		{3, thrift.I64, integer(int64(100 * rowGroups))},
		{4, thrift.List, listOf(thrift.Struct, groups...)},
		{6, thrift.Binary, text("a test")},
	}, unknown...).bytes()
	return ended(append([]byte("PAR1"), data...), footer)
}

// ended appends a footer.
func ended(file, footer []byte) []byte {
	file = append(file, footer...)
	return append(binary.LittleEndian.AppendUint32(file, uint32(len(footer))), "PAR1"...)
}

// footerIn returns a file's footer.
func footerIn(file []byte) []byte {
	end := len(file) - 8
	return file[end-int(binary.LittleEndian.Uint32(file[end:])) : end]
}

var columns = []footer.Column{
	{Path: []string{"id"}, Type: footer.Int64},
	{Path: []string{"nested", "name"}, Type: footer.ByteArray, Logical: footer.Logical{Kind: footer.String}},
	{Path: []string{"nested", "key"}, Type: footer.FixedLenByteArray, Length: 4},
	{Path: []string{"nested", "ratio"}, Type: footer.Double},
}

// filterOf returns a filter of values.
func filterOf[T parquet.Value](t testing.TB, values ...T) *simdbloom.Filter {
	t.Helper()
	f, err := parquet.NewFilter(parquet.AppendHashes(nil, values), 0.001)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// with returns a file with filters added.
func with(t testing.TB, file []byte, filters parquet.Filters) []byte {
	t.Helper()
	var written bytes.Buffer
	if err := parquet.WriteWithFilters(&written, bytes.NewReader(file), int64(len(file)), filters, parquet.WithAnyType()); err != nil {
		t.Fatal(err)
	}
	return written.Bytes()
}
