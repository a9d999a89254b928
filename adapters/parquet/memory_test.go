package parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
)

// TestMemoryOfFooters: the memory that a hostile footer takes is in proportion to its bytes.
func TestMemoryOfFooters(t *testing.T) {
	const n, most = 100_000, 160 // bytes of memory for a byte of the footer
	root := func(children int64) []byte {
		return structOf{{4, thrift.Binary, text("r")}, {5, thrift.I32, integer(children)}}.bytes()
	}
	leaf := func(name string) []byte {
		return structOf{{1, thrift.I32, integer(1)}, {4, thrift.Binary, text(name)}}.bytes()
	}
	footer := func(schema, groups [][]byte) []byte {
		return structOf{
			{1, thrift.I32, integer(2)},
			{2, thrift.List, listOf(thrift.Struct, schema...)},
			{3, thrift.I64, integer(0)},
			{4, thrift.List, listOf(thrift.Struct, groups...)},
		}.bytes()
	}
	many := func(of []byte) [][]byte { return slices.Repeat([][]byte{of}, n) }
	var named [][]byte
	for i := range n {
		named = append(named, leaf(string(binary.BigEndian.AppendUint32(nil, uint32(i))[1:])))
	}
	chunks := structOf{{1, thrift.List, listOf(thrift.Struct, []byte{0})}}.bytes()
	empty := []byte{0}
	for what, c := range map[string]struct {
		footer []byte
		wrong  bool
	}{
		"columns of nothing":           {footer(append([][]byte{root(n)}, many(empty)...), nil), true},
		"columns without a type":       {footer(append([][]byte{root(n)}, many(structOf{{4, thrift.Binary, text("")}}.bytes())...), nil), true},
		"columns of empty names":       {footer(append([][]byte{root(n)}, many(leaf(""))...), nil), false},
		"columns":                      {footer(append([][]byte{root(n)}, named...), nil), false},
		"row groups of nothing":        {footer([][]byte{root(0)}, many(empty)), true},
		"row groups of no chunks":      {footer([][]byte{root(0)}, many(structOf{{1, thrift.List, listOf(thrift.Struct)}}.bytes())), false},
		"row groups of an empty chunk": {footer([][]byte{root(1), leaf("c")}, many(chunks)), false},
		"empty chunks":                 {footer(append([][]byte{root(n)}, named...), [][]byte{structOf{{1, thrift.List, listOf(thrift.Struct, many(empty)...)}}.bytes()}), false},
		"key-value pairs":              {structOf{{2, thrift.List, listOf(thrift.Struct, root(0))}, {3, thrift.I64, integer(0)}, {4, thrift.List, listOf(thrift.Struct)}, {5, thrift.List, listOf(thrift.Struct, many(empty)...)}}.bytes(), false},
	} {
		file := ended([]byte("PAR1"), c.footer)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := parquet.Open(bytes.NewReader(file), int64(len(file)))
		runtime.ReadMemStats(&after)
		if c.wrong != errors.Is(err, simdbloom.ErrCorrupt) || !c.wrong && err != nil {
			t.Errorf("%s: %v", what, err)
		}
		ratio := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(file))
		runtime.KeepAlive(f)
		t.Logf("%s: %.0f bytes for a byte of %d", what, ratio, len(c.footer))
		if ratio > most {
			t.Errorf("%s: %.0f bytes of memory for a byte of the footer", what, ratio)
		}
	}
}
