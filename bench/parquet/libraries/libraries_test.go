// Package libraries compares what arrow-go and parquet-go read of the same files.
package libraries

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"testing"

	arrowparquet "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	parquetgo "github.com/parquet-go/parquet-go"
	gocompress "github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"

	"github.com/simdbloom/simdbloom/adapters/parquet/arrow"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
	"github.com/simdbloom/simdbloom/keyhash"
)

const (
	rows       = 700
	fixedBytes = 5
)

// A repetition is how often a column has a value in a row.
type repetition int

const (
	required repetition = iota
	optional
	repeated
)

func (r repetition) String() string { return [...]string{"required", "optional", "repeated"}[r] }

// values returns how many values a row has.
func (r repetition) values(row int) int {
	switch r {
	case optional:
		return min(row%3, 1)
	case repeated:
		return row % 4
	}
	return 1
}

// levels returns the levels of a row's values, or of their absence.
func (r repetition) levels(row int) (definitions, repetitions []int16) {
	if r == required {
		return []int16{0}, []int16{0}
	}
	n := r.values(row)
	if n == 0 {
		return []int16{0}, []int16{0}
	}
	for i := range n {
		definitions, repetitions = append(definitions, 1), append(repetitions, int16(min(i, 1)))
	}
	return definitions, repetitions
}

// A column has a type, an encoding, and values by their numbers.
type column struct {
	name       string
	physical   arrowparquet.Type
	node       func() parquetgo.Node
	encoding   arrowparquet.Encoding
	goEncoding encoding.Encoding
}

func leaf(t parquetgo.Type) func() parquetgo.Node {
	return func() parquetgo.Node { return parquetgo.Leaf(t) }
}

// columns are each type with each encoding that it may have, a dictionary included.
func columns() (all []column) {
	types := []struct {
		physical arrowparquet.Type
		node     func() parquetgo.Node
		more     []arrowparquet.Encoding
	}{
		{arrowparquet.Types.Int32, leaf(parquetgo.Int32Type), []arrowparquet.Encoding{arrowparquet.Encodings.DeltaBinaryPacked}},
		{arrowparquet.Types.Int64, leaf(parquetgo.Int64Type), []arrowparquet.Encoding{arrowparquet.Encodings.DeltaBinaryPacked}},
		{arrowparquet.Types.Int96, leaf(parquetgo.Int96Type), nil},
		{arrowparquet.Types.Float, leaf(parquetgo.FloatType), []arrowparquet.Encoding{arrowparquet.Encodings.ByteStreamSplit}},
		{arrowparquet.Types.Double, leaf(parquetgo.DoubleType), []arrowparquet.Encoding{arrowparquet.Encodings.ByteStreamSplit}},
		{arrowparquet.Types.ByteArray, leaf(parquetgo.ByteArrayType), []arrowparquet.Encoding{arrowparquet.Encodings.DeltaLengthByteArray, arrowparquet.Encodings.DeltaByteArray}},
		{arrowparquet.Types.FixedLenByteArray, leaf(parquetgo.FixedLenByteArrayType(fixedBytes)), []arrowparquet.Encoding{arrowparquet.Encodings.ByteStreamSplit}},
	}
	for _, t := range types {
		for _, e := range append([]arrowparquet.Encoding{arrowparquet.Encodings.Plain, arrowparquet.Encodings.RLEDict}, t.more...) {
			all = append(all, column{fmt.Sprintf("%v, %v", t.physical, e), t.physical, t.node, e, goEncodings[e]})
		}
	}
	return all
}

var goEncodings = map[arrowparquet.Encoding]encoding.Encoding{
	arrowparquet.Encodings.Plain: &parquetgo.Plain, arrowparquet.Encodings.RLEDict: &parquetgo.RLEDictionary,
	arrowparquet.Encodings.DeltaBinaryPacked: &parquetgo.DeltaBinaryPacked, arrowparquet.Encodings.ByteStreamSplit: &parquetgo.ByteStreamSplit,
	arrowparquet.Encodings.DeltaLengthByteArray: &parquetgo.DeltaLengthByteArray, arrowparquet.Encodings.DeltaByteArray: &parquetgo.DeltaByteArray,
}

// codecs are those of both libraries.
var codecs = map[compress.Compression]gocompress.Codec{
	compress.Codecs.Uncompressed: &parquetgo.Uncompressed, compress.Codecs.Snappy: &parquetgo.Snappy, compress.Codecs.Gzip: &parquetgo.Gzip,
	compress.Codecs.Brotli: &parquetgo.Brotli, compress.Codecs.Zstd: &parquetgo.Zstd, compress.Codecs.Lz4Raw: &parquetgo.Lz4Raw,
}

// Value number i of each type. Each is there twice, so that dictionaries pay.
func number(i int) int64 { return int64(i/2) * 0x9e3779b97f4a7 }
func text(i int) []byte  { return fmt.Appendf(nil, "value %d of some", number(i)) }
func fixed(i int) arrowparquet.FixedLenByteArray {
	return binary.BigEndian.AppendUint64(nil, uint64(number(i)))[8-fixedBytes:]
}

func stamp(i int) deprecated.Int96 {
	return deprecated.Int96{uint32(number(i)), uint32(i / 2), 2_440_588}
}

// plain returns value number i in Parquet's plain encoding, which filters hash.
func (c *column) plain(i int) []byte {
	switch c.physical {
	case arrowparquet.Types.Int32:
		return binary.LittleEndian.AppendUint32(nil, uint32(number(i)))
	case arrowparquet.Types.Int64:
		return binary.LittleEndian.AppendUint64(nil, uint64(number(i)))
	case arrowparquet.Types.Int96:
		s := stamp(i)
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, s[0]), s[1]), s[2])
	case arrowparquet.Types.Float:
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(number(i))+0.5))
	case arrowparquet.Types.Double:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(number(i))+0.5))
	case arrowparquet.Types.FixedLenByteArray:
		return fixed(i)
	}
	return text(i)
}

// byArrow writes a file of one column by arrow-go.
func (c *column) byArrow(t *testing.T, r repetition, codec compress.Compression) []byte {
	t.Helper()
	kind := [...]arrowparquet.Repetition{arrowparquet.Repetitions.Required, arrowparquet.Repetitions.Optional, arrowparquet.Repetitions.Repeated}[r]
	length := int32(-1)
	if c.physical == arrowparquet.Types.FixedLenByteArray {
		length = fixedBytes
	}
	node, err := schema.NewPrimitiveNode("a", kind, c.physical, -1, length)
	if err != nil {
		t.Fatal(err)
	}
	root, err := schema.NewGroupNode("root", arrowparquet.Repetitions.Required, schema.FieldList{node}, -1)
	if err != nil {
		t.Fatal(err)
	}
	dictionary := c.encoding == arrowparquet.Encodings.RLEDict
	options := []arrowparquet.WriterProperty{
		arrowparquet.WithCompression(codec), arrowparquet.WithDictionaryDefault(dictionary), arrowparquet.WithDataPageSize(1 << 10), arrowparquet.WithBatchSize(100),
	}
	if !dictionary {
		options = append(options, arrowparquet.WithEncoding(c.encoding))
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(arrowparquet.NewWriterProperties(options...)))
	rowGroup, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	chunk, err := rowGroup.NextColumn()
	if err != nil {
		t.Fatal(err)
	}
	var definitions, repetitions []int16
	n := 0
	for row := range rows {
		d, p := r.levels(row)
		definitions, repetitions = append(definitions, d...), append(repetitions, p...)
		n += r.values(row)
	}
	switch r {
	case required:
		definitions, repetitions = nil, nil
	case optional:
		repetitions = nil
	}
	switch chunk := chunk.(type) {
	case *file.Int32ColumnChunkWriter:
		_, err = chunk.WriteBatch(collect(n, func(i int) int32 { return int32(number(i)) }), definitions, repetitions)
	case *file.Int64ColumnChunkWriter:
		_, err = chunk.WriteBatch(collect(n, number), definitions, repetitions)
	case *file.Int96ColumnChunkWriter:
		_, err = chunk.WriteBatch(collect(n, func(i int) arrowparquet.Int96 { return arrowparquet.Int96(c.plain(i)) }), definitions, repetitions)
	case *file.Float32ColumnChunkWriter:
		_, err = chunk.WriteBatch(collect(n, func(i int) float32 { return float32(number(i)) + 0.5 }), definitions, repetitions)
	case *file.Float64ColumnChunkWriter:
		_, err = chunk.WriteBatch(collect(n, func(i int) float64 { return float64(number(i)) + 0.5 }), definitions, repetitions)
	case *file.ByteArrayColumnChunkWriter:
		_, err = chunk.WriteBatch(collect(n, func(i int) arrowparquet.ByteArray { return text(i) }), definitions, repetitions)
	case *file.FixedLenByteArrayColumnChunkWriter:
		_, err = chunk.WriteBatch(collect(n, fixed), definitions, repetitions)
	default:
		t.Fatalf("%T", chunk)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func collect[T any](n int, of func(i int) T) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = of(i)
	}
	return values
}

// value returns value number i as parquet-go has it.
func (c *column) value(i int) parquetgo.Value {
	switch c.physical {
	case arrowparquet.Types.Int32:
		return parquetgo.Int32Value(int32(number(i)))
	case arrowparquet.Types.Int64:
		return parquetgo.Int64Value(number(i))
	case arrowparquet.Types.Int96:
		return parquetgo.Int96Value(stamp(i))
	case arrowparquet.Types.Float:
		return parquetgo.FloatValue(float32(number(i)) + 0.5)
	case arrowparquet.Types.Double:
		return parquetgo.DoubleValue(float64(number(i)) + 0.5)
	case arrowparquet.Types.FixedLenByteArray:
		return parquetgo.FixedLenByteArrayValue(fixed(i))
	}
	return parquetgo.ByteArrayValue(text(i))
}

// byParquetGo writes a file of one column by parquet-go.
func (c *column) byParquetGo(t *testing.T, r repetition, codec gocompress.Codec) []byte {
	t.Helper()
	node := parquetgo.Compressed(parquetgo.Encoded(c.node(), c.goEncoding), codec)
	switch r {
	case optional:
		node = parquetgo.Optional(node)
	case repeated:
		node = parquetgo.Repeated(node)
	}
	var out bytes.Buffer
	w := parquetgo.NewWriter(&out, parquetgo.NewSchema("root", parquetgo.Group{"a": node}), parquetgo.PageBufferSize(1<<10))
	n := 0
	for row := range rows {
		definitions, repetitions := r.levels(row)
		var values parquetgo.Row
		for k := range definitions {
			value := parquetgo.Value{}
			if k < r.values(row) {
				value = c.value(n)
				n++
			}
			values = append(values, value.Level(int(repetitions[k]), int(definitions[k]), 0))
		}
		if _, err := w.WriteRows([]parquetgo.Row{values}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestBothLibrariesReadTheSameValues, and those that were written: of every codec, type, encoding, repetition and
// writer. Filters that are built by both have the same bits, which are those of the values.
func TestBothLibrariesReadTheSameValues(t *testing.T) {
	files := 0
	for codec, goCodec := range codecs {
		for _, c := range columns() {
			for _, r := range []repetition{required, optional, repeated} {
				for writer, data := range map[string][]byte{"arrow-go": c.byArrow(t, r, codec), "parquet-go": c.byParquetGo(t, r, goCodec)} {
					c.check(t, fmt.Sprintf("%v, %s, %v, by %s", codec, c.name, r, writer), r, data)
					files++
				}
			}
		}
	}
	t.Logf("%d files", files)
}

func (c *column) check(t *testing.T, what string, r repetition, data []byte) {
	t.Helper()
	n := 0
	for row := range rows {
		n += r.values(row)
	}
	want := make(map[uint64]bool)
	for i := range n {
		want[keyhash.XX64.Sum64(c.plain(i))] = true
	}
	opened, err := parquetgo.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	got := make(map[uint64]bool) // of a dictionary each value once
	for hashes, err := range adapter.Hashes(opened, "a") {
		if err != nil {
			t.Fatalf("%s: parquet-go: %v", what, err)
		}
		for _, hash := range hashes {
			got[hash] = true
		}
	}
	if !maps.Equal(got, want) {
		t.Fatalf("%s: parquet-go reads %d different values, not the %d that were written", what, len(got), len(want))
	}
	reader, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	byArrow, err := arrow.Build(reader, 0.001, "a")
	if err != nil {
		t.Fatalf("%s: arrow-go: %v", what, err)
	}
	byParquetGo, err := adapter.Build(opened, 0.001, "a")
	if err != nil {
		t.Fatalf("%s: parquet-go: %v", what, err)
	}
	if len(byArrow["a"]) != len(byParquetGo["a"]) || len(byArrow["a"]) == 0 {
		t.Fatalf("%s: %d and %d row groups", what, len(byArrow["a"]), len(byParquetGo["a"]))
	}
	for g, f := range byArrow["a"] {
		if !bytes.Equal(f.Bytes(), byParquetGo["a"][g].Bytes()) {
			t.Errorf("%s: the libraries' filters differ", what)
		}
		for hash := range want {
			if !f.ContainsHash(hash) {
				t.Fatalf("%s: a value is missing", what)
			}
		}
	}
}
