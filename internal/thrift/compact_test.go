package thrift_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/thrift"
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

// TestSkip: a value is skipped to its last byte, and is cut short without it.
func TestSkip(t *testing.T) {
	for of, value := range map[thrift.Type]string{
		thrift.True: "", thrift.False: "", thrift.Byte: "\xff", thrift.I16: "\x03", thrift.I32: "\x80\x01", thrift.I64: "\x80\x80\x01",
		thrift.Double: "12345678", thrift.Binary: "\x03abc", thrift.List: "\x25\x02\x04", thrift.Set: "\x21\x01\x02", thrift.Map: "\x01\x58\x02\x01k",
		thrift.Struct: "\x15\x02\x00", thrift.UUID: "1234567890123456",
	} {
		r := thrift.NewReader([]byte(value))
		if r.Skip(of); r.Err() != nil || r.At() != len(value) {
			t.Errorf("type %d: %d bytes of %d, %v", of, r.At(), len(value), r.Err())
		}
		if len(value) == 0 {
			continue
		}
		r = thrift.NewReader([]byte(value)[:len(value)-1])
		if r.Skip(of); r.Err() == nil {
			t.Errorf("type %d: it is cut short, and no error", of)
		}
	}
}

// TestNesting: values are skipped 64 deep, and not much more, whatever nests them.
func TestNesting(t *testing.T) {
	for name, level := range map[string][2]string{ // in front of a value, and behind it
		"structs": {"\x1c", "\x00"}, "lists": {"\x19\x1c", "\x00"}, "keys": {"\x1b\x01\xc3", "\x07\x00"}, "values": {"\x1b\x01\x3c\x07", "\x00"},
	} {
		depth := 1
		if name != "structs" { // each is in a struct
			depth = 2
		}
		for n, fails := range map[int]bool{62 / depth: false, 66 / depth: true, 100_000: true} {
			data := append(append(bytes.Repeat([]byte(level[0]), n), 0), bytes.Repeat([]byte(level[1]), n)...)
			r := thrift.NewReader(data)
			if r.Skip(thrift.Struct); (r.Err() != nil) != fails || !fails && r.At() != len(data) || fails && r.At() > 65*len(level[0]) {
				t.Errorf("%d %s: %d bytes of %d, %v", n, name, r.At(), len(data), r.Err())
			}
		}
	}
}

// TestOtherTypes: a value of another type than is wanted, or one that is too short for its length, is an error, after
// which there are no values.
func TestOtherTypes(t *testing.T) {
	for name, c := range map[string]struct {
		data  string
		read  func(r *thrift.Reader) bool // reports whether there is a value
		fails bool
	}{
		"bytes":            {"\x02hi", func(r *thrift.Reader) bool { return len(r.Bytes(thrift.Binary)) == 2 }, false},
		"bytes of a list":  {"\x02hi", func(r *thrift.Reader) bool { return r.Bytes(thrift.List) != nil }, true},
		"an integer":       {"\x04", func(r *thrift.Reader) bool { return r.Int(thrift.I32, thrift.I32) == 2 }, false},
		"of another type":  {"\x04", func(r *thrift.Reader) bool { return r.Int(thrift.I64, thrift.I32) != 0 }, true},
		"-2^31":            {"\xff\xff\xff\xff\x0f", func(r *thrift.Reader) bool { return r.Int(thrift.I32, thrift.I32) == math.MinInt32 }, false},
		"-2^31-1":          {"\x81\x80\x80\x80\x10", func(r *thrift.Reader) bool { return r.Int(thrift.I32, thrift.I32) != 0 }, true},
		"a list":           {"\x35123", func(r *thrift.Reader) bool { n, of := r.Elements(thrift.List); return n == 3 && of == thrift.I32 }, false},
		"a list too short": {"\x3512", func(r *thrift.Reader) bool { n, of := r.Elements(thrift.List); return n != 0 || of != thrift.Stop }, true},
		"a long list":      {"\xf5\x10" + "0123456789abcdef", func(r *thrift.Reader) bool { n, _ := r.Elements(thrift.Set); return n == 16 }, false},
		"of a map":         {"\x35123", func(r *thrift.Reader) bool { n, of := r.Elements(thrift.Map); return n != 0 || of != thrift.Stop }, true},
		"no bytes":         {"", func(r *thrift.Reader) bool { id, of := r.Field(3); return id != 0 || of != thrift.Stop }, true},
		"the end":          {"\x00", func(r *thrift.Reader) bool { id, of := r.Field(3); return id == 0 && of == thrift.Stop }, false},
		"an id too far":    {"\x15", func(r *thrift.Reader) bool { id, of := r.Field(math.MaxInt16); return id != 0 || of != thrift.Stop }, true},
		"the expected":     {"", func(r *thrift.Reader) bool { r.Expect(thrift.List, thrift.List); return true }, false},
		"another":          {"", func(r *thrift.Reader) bool { r.Expect(thrift.List, thrift.Set); return false }, true},
		"a map too short":  {"\x04\x11\x01\x01\x01\x01\x01\x01\x01", func(r *thrift.Reader) bool { r.Skip(thrift.Map); return r.At() > 10 }, true},
		"a map of 2":       {"\x02\x11\x01\x01\x01\x01", func(r *thrift.Reader) bool { r.Skip(thrift.Map); return r.At() == 6 }, false},
	} {
		r := thrift.NewReader([]byte(c.data))
		if is := c.read(r); is == c.fails || (r.Err() != nil) != c.fails {
			t.Errorf("%s: %v, %v", name, is, r.Err())
		}
		if id, of := r.Field(1); c.fails && (id != 0 || of != thrift.Stop) {
			t.Errorf("%s: a field after an error", name)
		}
		if at := r.At(); c.fails && (r.Bytes(thrift.Binary) != nil || r.At() != at) {
			t.Errorf("%s: bytes after an error", name)
		}
	}
}
