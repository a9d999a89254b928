package inspect_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/internal/thrift"
)

// structOf is a struct of Thrift's compact protocol, in the making.
type structOf struct {
	data []byte
	last int16
}

func (s *structOf) add(id int16, of thrift.Type, value []byte) {
	s.data = append(thrift.AppendField(s.data, s.last, id, of), value...)
	s.last = id
}

func (s *structOf) number(id int16, of thrift.Type, n int) {
	s.add(id, of, thrift.AppendInt(nil, int64(n)))
}

func (s *structOf) text(id int16, text string) {
	s.add(id, thrift.Binary, append(binary.AppendUvarint(nil, uint64(len(text))), text...))
}

func (s *structOf) end() []byte { return append(s.data, 0) }

func (s *structOf) list(id int16, structs [][]byte) {
	s.add(id, thrift.List, append(binary.AppendUvarint([]byte{0xf0 | byte(thrift.Struct)}, uint64(len(structs))), bytes.Join(structs, nil)...))
}

var types = strings.Fields("BOOLEAN INT32 INT64 INT96 FLOAT DOUBLE BYTE_ARRAY FIXED_LEN_BYTE_ARRAY")

// logicalType is a LogicalType of parquet.thrift.
func logicalType(text string) []byte {
	kind, settings, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	first, second, _ := strings.Cut(settings, ",")
	var l structOf
	var a, b int
	fmt.Sscan(first, &a)
	fmt.Sscan(second, &b)
	is := map[bool]thrift.Type{true: thrift.True, false: thrift.False}
	switch kind {
	case "DECIMAL":
		l.number(1, thrift.I32, b)
		l.number(2, thrift.I32, a)
	case "INT", "UINT":
		l.add(1, thrift.Byte, []byte{byte(a)})
		l.add(2, is[kind == "INT"], nil)
	case "TIME", "TIMESTAMP":
		var unit structOf
		unit.add(map[string]int16{"MILLIS": 1, "MICROS": 2, "NANOS": 3}[first], thrift.Struct, []byte{0})
		l.add(1, is[second == "UTC"], nil)
		l.add(2, thrift.Struct, unit.end())
	}
	ids := map[string]int16{
		"STRING": 1, "ENUM": 4, "DECIMAL": 5, "DATE": 6, "TIME": 7, "TIMESTAMP": 8, "INT": 10, "UINT": 10, "JSON": 12, "BSON": 13, "UUID": 14, "FLOAT16": 15,
	}
	var union structOf
	union.add(ids[kind], thrift.Struct, l.end())
	return union.end()
}

// opened returns a file with the given data, which begins as a file does, and columns. Each row group has the places of
// its filters in the data, 0 where there is none.
func opened(data []byte, columns []parquet.Column, rowGroups [][]int, options ...parquet.Option) (*parquet.File, error) {
	group := func(name string, children int) []byte {
		var s structOf
		s.text(4, name)
		s.number(5, thrift.I32, children)
		return s.end()
	}
	schema := [][]byte{group("schema", len(columns))}
	for _, c := range columns {
		for _, name := range c.Path[:len(c.Path)-1] {
			schema = append(schema, group(name, 1))
		}
		var leaf structOf
		for i, of := range types {
			if of == c.Type {
				leaf.number(1, thrift.I32, i)
			}
		}
		leaf.number(2, thrift.I32, c.Length)
		leaf.text(4, c.Path[len(c.Path)-1])
		if c.Logical != "" {
			leaf.add(10, thrift.Struct, logicalType(c.Logical))
		}
		schema = append(schema, leaf.end())
	}
	var groups [][]byte
	for _, offsets := range rowGroups {
		var chunks [][]byte
		for _, offset := range offsets {
			var metadata, chunk structOf
			if metadata.number(5, thrift.I64, 1000); offset != 0 {
				metadata.number(14, thrift.I64, offset)
			}
			chunk.add(3, thrift.Struct, metadata.end())
			chunks = append(chunks, chunk.end())
		}
		var group structOf
		group.list(1, chunks)
		groups = append(groups, group.end())
	}
	var footer structOf
	footer.list(2, schema)
	footer.number(3, thrift.I64, 1000*len(groups))
	footer.list(4, groups)
	foot := footer.end()
	file := append(bytes.Clone(data), foot...)
	file = append(binary.LittleEndian.AppendUint32(file, uint32(len(foot))), "PAR1"...)
	return parquet.Open(bytes.NewReader(file), int64(len(file)), options...)
}
