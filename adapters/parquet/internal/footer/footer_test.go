package footer

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
	"github.com/simdbloom/simdbloom/keyhash"
)

// field is a value of Thrift's compact protocol, with its number in a struct.
type field struct {
	id    int16
	of    thrift.Type
	value []byte
}

func i32(id int16, v int64) field { return field{id, thrift.I32, thrift.AppendInt(nil, v)} }
func i64(id int16, v int64) field { return field{id, thrift.I64, thrift.AppendInt(nil, v)} }
func text(id int16, v string) field {
	return field{id, thrift.Binary, append([]byte{byte(len(v))}, v...)}
}
func in(id int16, fields ...field) field  { return field{id, thrift.Struct, record(fields...)} }
func structs(id int16, v ...[]byte) field { return list(id, thrift.Struct, v...) }

func list(id int16, of thrift.Type, elements ...[]byte) field {
	return field{id, thrift.List, append([]byte{byte(len(elements))<<4 | byte(of)}, slices.Concat(elements...)...)}
}

// record returns the bytes of a struct.
func record(fields ...field) (data []byte) {
	last := int16(0)
	for _, f := range fields {
		data = append(thrift.AppendField(data, last, f.id, f.of), f.value...)
		last = f.id
	}
	return append(data, 0)
}

// aFooter returns a footer of a schema, and of a row group of the chunks, with other fields at its end.
func aFooter(schema [][]byte, chunks [][]byte, more ...field) []byte {
	return record(append([]field{structs(2, schema...), i64(3, 9), structs(4, record(structs(1, chunks...)))}, more...)...)
}

var (
	root    = record(text(4, "schema"), i32(5, 1))
	column  = record(i32(1, int64(ByteArray)), text(4, "c"))
	aColumn = [][]byte{root, column}
)

// TestChunks: what a column chunk says, and what it does not say of itself or says in another type.
func TestChunks(t *testing.T) {
	meta := func(fields ...field) field { return in(3, fields...) }
	stats := func(page, encoding int64) []byte { return record(i32(1, page), i32(2, encoding), i32(3, 1)) }
	number := func(v int64) []byte { return thrift.AppendInt(nil, v) }
	values, filter := i64(5, 7), []field{i64(14, 100), i32(15, 50)}
	encodings := list(2, thrift.I32, number(0), number(8), number(31), number(32), number(-1))
	for what, c := range map[string]struct {
		chunk     []field
		want      Chunk
		encrypted bool
		elsewhere bool // its place is not told
	}{
		"nothing":                   {[]field{meta()}, Chunk{}, false, false},
		"values and a filter":       {[]field{meta(append([]field{values}, filter...)...)}, Chunk{Values: 7, FilterOffset: 100, FilterLength: 50}, false, false},
		"a codec":                   {[]field{meta(i32(4, 6), values)}, Chunk{Values: 7, Codec: 6}, false, false},
		"a codec of another type":   {[]field{meta(i64(4, 6), values)}, Chunk{Values: 7}, false, false},
		"encodings":                 {[]field{meta(encodings)}, Chunk{Encodings: 1 | 1<<8 | 1<<31}, false, false},
		"encodings of another type": {[]field{meta(i32(2, 1))}, Chunk{}, false, false},
		"encodings of pages": {
			[]field{meta(encodings, structs(13, stats(0, 2), stats(3, 3), stats(2, 4), stats(1, 5)))}, Chunk{Encodings: 1<<2 | 1<<3}, false, false,
		},
		"pages without a kind or an encoding": {
			[]field{meta(structs(13, record(i32(2, 2)), record(i32(1, 0)), record(i64(1, 0), i32(2, 4)), record(i32(1, 0), i64(2, 4))))}, Chunk{}, false, false,
		},
		"pages of another type":       {[]field{meta(values, i32(13, 1))}, Chunk{Values: 7}, false, false},
		"a filter in another file":    {[]field{text(1, "other"), meta(append([]field{values}, filter...)...)}, Chunk{Values: 7}, false, true},
		"a filter in this file":       {[]field{text(1, ""), meta(append([]field{values}, filter...)...)}, Chunk{Values: 7, FilterOffset: 100, FilterLength: 50}, false, false},
		"encrypted":                   {[]field{meta(append([]field{values}, filter...)...), in(8)}, Chunk{Values: 7}, true, true},
		"encrypted, metadata as well": {[]field{text(9, "?")}, Chunk{}, true, true},
		"encrypted, in no other file": {[]field{text(1, ""), meta(values, filter[0]), in(8)}, Chunk{Values: 7}, true, true},
		"encrypted, and a file":       {[]field{in(8), text(9, "?")}, Chunk{}, true, true},
	} {
		m, err := Parse(aFooter(aColumn, [][]byte{record(c.chunk...)}))
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		place := m.Places[0][0]
		if got := m.RowGroups[0][0]; got != c.want || m.Encrypted != c.encrypted || (place == Place{}) != c.elsewhere {
			t.Errorf("%s: %+v at %v, encrypted %v, want %+v", what, got, place, m.Encrypted, c.want)
		}
	}
}

// TestNodes: columns' types, lengths and logical types, of new writers and of old ones.
func TestNodes(t *testing.T) {
	name := text(4, "c")
	for what, c := range map[string]struct {
		node []field
		want Column
	}{
		"bytes":                      {[]field{i32(1, 6), name}, Column{Type: ByteArray}},
		"a length":                   {[]field{i32(1, 7), i32(2, 5), name}, Column{Type: FixedLenByteArray, Length: 5}},
		"bits in place of a length":  {[]field{i32(1, 2), i32(2, 64), name}, Column{Type: Int64}},
		"converted":                  {[]field{i32(1, 6), name, i32(6, 0)}, Column{Type: ByteArray, Logical: Logical{Kind: String}}},
		"a converted decimal":        {[]field{i32(1, 1), name, i32(6, 5), i32(7, 3), i32(8, 9)}, Column{Type: Int32, Logical: Logical{Kind: Decimal, Scale: 3, Precision: 9}}},
		"a decimal of no size":       {[]field{i32(1, 1), name, i32(6, 5)}, Column{Type: Int32, Logical: Logical{Kind: Decimal}}},
		"a decimal of another type":  {[]field{i32(1, 1), name, i32(6, 5), i64(7, 3), i64(8, 9)}, Column{Type: Int32, Logical: Logical{Kind: Decimal}}},
		"converted, of another type": {[]field{i32(1, 6), name, i64(6, 0)}, Column{Type: ByteArray}},
		"logical, and converted":     {[]field{i32(1, 6), name, i32(6, 0), in(10, in(12))}, Column{Type: ByteArray, Logical: Logical{Kind: JSON}}},
		"other fields":               {[]field{i32(1, 6), i32(3, 1), name, i32(9, 2)}, Column{Type: ByteArray}},
	} {
		c.want.Path = []string{"c"}
		m, err := Parse(aFooter([][]byte{root, record(c.node...)}, [][]byte{record(in(3))}, text(6, "writer")))
		if err != nil || !reflect.DeepEqual(m.Columns, []Column{c.want}) || m.CreatedBy != "writer" || m.Encrypted {
			t.Errorf("%s: %+v, want %+v, %v", what, m, c.want, err)
		}
	}
	group := func(name string, children int64) []byte { return record(text(4, name), i32(5, children)) }
	m, err := Parse(aFooter([][]byte{group("root", 2), group("a", 1), group("b", 1), column, column}, [][]byte{record(in(3)), record(in(3))}))
	if err != nil || m.Columns[0].Name() != "a.b.c" || m.Columns[1].Name() != "c" {
		t.Errorf("%+v, %v", m, err)
	}
	m, err = Parse(aFooter([][]byte{group("root", 1), group("a", 2), group("b", 1), column, column}, [][]byte{record(in(3)), record(in(3))}))
	if err != nil || m.Columns[0].Name() != "a.b.c" || m.Columns[1].Name() != "a.c" {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := Parse(aFooter(aColumn, [][]byte{record(in(3))}, i32(6, 7))); err != nil || m.CreatedBy != "" {
		t.Errorf("a writer of another type: %+v, %v", m, err)
	}
}

// TestWrongFooters say what is wrong, and those that are like them are right.
func TestWrongFooters(t *testing.T) {
	chunk := record(in(3))
	schema := structs(2, aColumn...)
	for says, footer := range map[string][]byte{
		"no list of row groups":                      record(schema, i64(3, 1)),
		"no list of row groups ":                     record(schema),
		"row group 0 has no list of columns":         record(schema, i64(3, 0), structs(4, record(i64(2, 3)))),
		"row group 0 has 2 columns, and the schema ": aFooter(aColumn, [][]byte{chunk, chunk}),
		"row group 0 has 0 columns, and the schema ": aFooter(aColumn, nil),
		"1 bytes follow its last field":              append(aFooter(aColumn, [][]byte{chunk}), 1),
		"the schema is no tree":                      aFooter([][]byte{root}, nil),
		"the schema is no tree ":                     aFooter([][]byte{root, record(text(4, "no type"))}, nil),
		"the schema is no tree  ":                    aFooter([][]byte{root, record(i32(1, 6))}, nil),
		"another one than it must have":              record(schema, i32(3, 1), structs(4)),
		"cut short":                                  aFooter(aColumn, [][]byte{chunk})[:20],
	} {
		if m, err := Parse(footer); m != nil || err == nil || !strings.Contains(err.Error(), strings.TrimSpace(says)) {
			t.Errorf("%s: %v, %v", says, m, err)
		}
	}
	for what, footer := range map[string][]byte{
		"no rows, and no list": record(schema, i64(3, 0)),
		"rows elsewhere":       record(schema, i64(3, 9), structs(4)),
		"a signature":          append(aFooter(aColumn, [][]byte{chunk}, in(8)), 1, 2, 3),
		"a signing key":        append(aFooter(aColumn, [][]byte{chunk}, text(9, "key")), 1, 2, 3),
		"other fields":         aFooter(aColumn, [][]byte{chunk}, list(5, thrift.I32, []byte{2}), list(7, thrift.I32)),
		"no column":            record(structs(2, record(text(4, "root"))), i64(3, 0), structs(4, record(structs(1)))),
	} {
		if m, err := Parse(footer); err != nil || m.Encrypted != strings.HasPrefix(what, "a sign") {
			t.Errorf("%s: %v, %v", what, m, err)
		}
	}
}

// TestElementsOfOtherTypes: what must be a struct is an error if it is said to be something else, whatever its bytes.
func TestElementsOfOtherTypes(t *testing.T) {
	chunk := func(of thrift.Type, metadata ...field) []byte { return record(field{3, of, record(metadata...)}) }
	for _, of := range []thrift.Type{thrift.Struct, thrift.Map, thrift.I64} {
		schema, rows := structs(2, aColumn...), i64(3, 9)
		for what, footer := range map[string][]byte{
			"nodes":            record(list(2, of, aColumn...), rows, structs(4, record(structs(1, chunk(thrift.Struct))))),
			"row groups":       record(schema, rows, list(4, of, record(structs(1, chunk(thrift.Struct))))),
			"chunks":           record(schema, rows, structs(4, record(list(1, of, chunk(thrift.Struct))))),
			"a chunk's fields": record(schema, rows, structs(4, record(structs(1, chunk(of))))),
			"encodings":        record(schema, rows, structs(4, record(structs(1, chunk(thrift.Struct, list(13, of, record(i32(1, 0), i32(2, 3)))))))),
		} {
			if m, err := Parse(footer); (err == nil) != (of == thrift.Struct) {
				t.Errorf("%s of type %d: %+v, %v", what, of, m, err)
			}
		}
	}
}

// TestTypesHaveNames, as in parquet-format's pages.
func TestTypesHaveNames(t *testing.T) {
	for of, want := range map[Type]string{Boolean: "BOOLEAN", FixedLenByteArray: "FIXED_LEN_BYTE_ARRAY", -1: "an unknown type", 8: "an unknown type"} {
		if of.String() != want {
			t.Errorf("%d: %v", int(of), of)
		}
	}
	for of, want := range map[Logical]string{
		{}: "", {Kind: JSON}: "JSON", {Kind: Integer, Bits: 8}: "INT(8)", {Kind: Integer, Bits: 16, Unsigned: true}: "UINT(16)",
		{Kind: Decimal, Precision: 9, Scale: 2}: "DECIMAL(9,2)", {Kind: Time, PerSecond: 1e3}: "TIME(MILLIS,local)",
		{Kind: Timestamp, PerSecond: 1e9, UTC: true}: "TIMESTAMP(NANOS,UTC)", {Kind: Interval}: "INTERVAL",
	} {
		if got := of.String(); got != want {
			t.Errorf("%+v: %s, want %s", of, got, want)
		}
	}
}

// TestZeros: where one of the two zeros is looked up, so is the other.
func TestZeros(t *testing.T) {
	minus := math.Copysign(0, -1)
	floats := keyhash.XX64.AppendColumn(nil, keyhash.Values([]float32{0, float32(minus)}))
	doubles := keyhash.XX64.AppendColumn(nil, keyhash.Values([]float64{0, minus}))
	for _, c := range []struct {
		column Column
		zeros  []uint64
	}{{Column{Type: Float}, floats}, {Column{Type: Double}, doubles}} {
		for i := range c.zeros {
			if got := c.column.AppendZeros([]uint64{5, c.zeros[i]}); !slices.Equal(got, []uint64{5, c.zeros[i], c.zeros[1-i]}) {
				t.Errorf("%v: %x", c.column.Type, got)
			}
		}
		for _, hashes := range [][]uint64{{5}, c.zeros} {
			if got := c.column.AppendZeros(hashes); !slices.Equal(got, hashes) {
				t.Errorf("%v: %x of %x", c.column.Type, got, hashes)
			}
		}
	}
	other := Column{Type: Int64}
	if got := other.AppendZeros(doubles[:1]); len(got) != 1 {
		t.Errorf("%x", got)
	}
}
