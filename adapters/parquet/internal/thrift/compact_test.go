package thrift_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/thrift"
)

// every is a struct with a field of each type, ids in the short form and in the long one.
var every = []byte{
	0x11,       // 1: true
	0x12,       // 2: false
	0x13, 0xff, // 3: a byte
	0x14, 0x03, // 4: i16 -2
	0x05, 0x40, 0x7f, // long form, id 32: i32 -64
	0x16, 0x80, 0x01, // 33: i64 64
	0x17, 1, 2, 3, 4, 5, 6, 7, 8, // 34: a double
	0x18, 2, 'h', 'i', // 35: binary
	0x19, 0x25, 2, 4, // 36: a list of two i32
	0x1a, 0x21, 1, 2, // 37: a set of two Booleans
	0x1b, 0, // 38: an empty map
	0x1b, 1, 0x85, 1, 'k', 6, // 39: a map of binary to i32
	0x1c, 0x15, 2, 0x00, // 40: a struct
	0x1d, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, // 41: a UUID
	0x00,
}

func TestEveryType(t *testing.T) {
	r := thrift.NewReader(every)
	var types []thrift.Type
	for id, of := r.Field(0); of != thrift.Stop; id, of = r.Field(id) {
		types = append(types, of)
		switch id {
		case 4:
			if v := r.Int(of, thrift.I16); v != -2 {
				t.Errorf("i16 %d", v)
			}
		case 32:
			if v := r.Int(of, thrift.I32); v != -64 {
				t.Errorf("i32 %d", v)
			}
		case 33:
			if v := r.Int(of, thrift.I64); v != 64 {
				t.Errorf("i64 %d", v)
			}
		case 35:
			if v := r.Bytes(of); string(v) != "hi" {
				t.Errorf("bytes %q", v)
			}
		default:
			r.Skip(of)
		}
	}
	if r.Err() != nil || r.At() != len(every) || len(types) != 14 {
		t.Fatalf("%v at %d of %d, types %v", r.Err(), r.At(), len(every), types)
	}
}

func TestCutShort(t *testing.T) {
	for n := range every {
		r := thrift.NewReader(every[:n])
		for id, of := r.Field(0); of != thrift.Stop; id, of = r.Field(id) {
			r.Skip(of)
		}
		if r.Err() == nil {
			t.Errorf("the first %d bytes are no error", n)
		}
	}
}

func TestHostile(t *testing.T) {
	for name, data := range map[string][]byte{
		"structs in structs":   bytes.Repeat([]byte{0x1c}, 1<<20),
		"lists in lists":       append([]byte{0x19}, bytes.Repeat([]byte{0x19}, 1<<20)...),
		"a list of 2^60":       {0x19, 0xf5, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10},
		"a map of 2^60":        {0x1b, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10, 0x55},
		"a string of 2^63":     {0x18, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
		"a varint of 11 bytes": {0x16, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
		"an id above 32767":    {0x05, 0x80, 0x80, 0x04, 0x02, 0x00},
		"type 14":              {0x1e, 0x00},
	} {
		r := thrift.NewReader(data)
		for id, of := r.Field(0); of != thrift.Stop; id, of = r.Field(id) {
			r.Skip(of)
		}
		if r.Err() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if r := thrift.NewReader([]byte{0x80, 0x80, 0x80, 0x80, 0x20}); r.Int(thrift.I32, thrift.I32) != 0 || r.Err() == nil {
		t.Error("2^32 is an i32")
	}
}

func TestAppend(t *testing.T) {
	for _, ids := range [][2]int16{{0, 1}, {0, 15}, {0, 16}, {5, 4}, {0, math.MaxInt16}, {7, 7}} {
		data := append(thrift.AppendInt(thrift.AppendField(nil, ids[0], ids[1], thrift.I64), math.MinInt64), 0)
		r := thrift.NewReader(data)
		id, of := r.Field(ids[0])
		if v := r.Int(of, thrift.I64); id != ids[1] || v != math.MinInt64 || r.Err() != nil {
			t.Errorf("%v: id %d, %d, %v", ids, id, v, r.Err())
		}
	}
}
