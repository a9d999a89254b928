// Package thrift reads Thrift's compact protocol, in which Parquet's metadata and the header of a split-block filter
// are, and writes the little of it that filters need. Module adapters/parquet has a copy of this file.
package thrift

import (
	"encoding/binary"
	"errors"
	"math"
)

// Type is the type of a field or element.
type Type byte

// The types of the compact protocol. The value of a Boolean field is in its type.
const (
	Stop Type = iota
	True
	False
	Byte
	I16
	I32
	I64
	Double
	Binary
	List
	Set
	Map
	Struct
	UUID
)

// mostNested is the depth of values in values that Skip follows. Parquet's metadata has less than ten.
const mostNested = 64

var (
	errShort   = errors.New("a value is cut short")
	errNested  = errors.New("values are nested too deeply")
	errType    = errors.New("a value has an unknown type, or another one than it must have")
	errInteger = errors.New("an integer is too large for its type")
	errField   = errors.New("a field has an impossible id")
)

// Reader reads values from bytes that may be anything. After an error every method returns zeros,
// and Field returns Stop, so loops end.
type Reader struct {
	data []byte
	at   int
	err  error
}

// NewReader returns a Reader of data, whose first byte is that of a struct's first field.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// At returns the number of bytes that were read.
func (r *Reader) At() int { return r.at }

func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Field reads the beginning of a struct's next field, where last is the id of the field before, or 0.
// The caller reads the value, by Skip at least. Stop is the end of the struct.
func (r *Reader) Field(last int16) (id int16, t Type) {
	b := r.byte()
	t = Type(b & 15)
	if r.err != nil || t == Stop {
		return 0, Stop
	}
	next := int64(last) + int64(b>>4)
	if b>>4 == 0 {
		next = r.varint()
	}
	if next < math.MinInt16 || next > math.MaxInt16 {
		r.fail(errField)
	}
	if r.err != nil {
		return 0, Stop
	}
	return int16(next), t
}

// Int reads an integer of the given type, I16, I32 or I64, which must be that of want.
func (r *Reader) Int(t, want Type) int64 {
	if t != want {
		r.fail(errType)
	}
	v := r.varint()
	if above := 64 - [...]int{I16: 16, I32: 32, I64: 64}[want]; v != v<<above>>above {
		r.fail(errInteger)
	}
	if r.err != nil {
		return 0
	}
	return v
}

// Bytes reads a value of type Binary, without copying it.
func (r *Reader) Bytes(t Type) []byte {
	if t != Binary {
		r.fail(errType)
	}
	n := r.uvarint()
	return r.next(n)
}

// Elements reads the beginning of a list: its length and the type of its elements. The caller
// reads the elements.
func (r *Reader) Elements(t Type) (n int, of Type) {
	if t != List && t != Set {
		r.fail(errType)
	}
	b := r.byte()
	size := uint64(b >> 4)
	if size == 15 {
		size = r.uvarint()
	}
	if size > uint64(len(r.data)-r.at) { // an element has at least a byte
		r.fail(errShort)
	}
	if r.err != nil {
		return 0, Stop
	}
	return int(size), Type(b & 15)
}

// Expect makes a type other than want an error.
func (r *Reader) Expect(t, want Type) {
	if t != want {
		r.fail(errType)
	}
}

// Skip reads the value of a field, whatever it is.
func (r *Reader) Skip(t Type) {
	if t != True && t != False {
		r.skip(t, mostNested)
	}
}

func (r *Reader) skip(t Type, depth int) {
	if depth == 0 {
		r.fail(errNested)
	}
	switch t {
	case True, False, Byte:
		r.byte()
	case I16, I32, I64:
		r.varint()
	case Double:
		r.next(8)
	case UUID:
		r.next(16)
	case Binary:
		r.Bytes(t)
	case List, Set:
		n, of := r.Elements(t)
		for ; n > 0 && r.err == nil; n-- {
			r.skip(of, depth-1)
		}
	case Map:
		r.skipMap(depth)
	case Struct:
		for id, of := r.Field(0); of != Stop; id, of = r.Field(id) {
			if of != True && of != False {
				r.skip(of, depth-1)
			}
		}
	default:
		r.fail(errType)
	}
}

func (r *Reader) skipMap(depth int) {
	n := r.uvarint()
	if n == 0 {
		return
	}
	types := r.byte()
	for ; n > 0 && r.err == nil; n-- {
		r.skip(Type(types>>4), depth-1)
		r.skip(Type(types&15), depth-1)
	}
}

func (r *Reader) byte() byte {
	b := r.next(1)
	if b == nil {
		return 0
	}
	return b[0]
}

// next returns the next n bytes.
func (r *Reader) next(n uint64) []byte {
	if n > uint64(len(r.data)-r.at) {
		r.fail(errShort)
	}
	if r.err != nil {
		return nil
	}
	from := r.at
	r.at += int(n)
	return r.data[from:r.at:r.at]
}

func (r *Reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.data[r.at:])
	switch {
	case n == 0:
		r.fail(errShort)
	case n < 0:
		r.fail(errInteger)
	}
	if r.err != nil {
		return 0
	}
	r.at += n
	return v
}

// varint reads a zigzag integer.
func (r *Reader) varint() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// AppendField appends the beginning of a field of a struct, where last is the id of the field before it, or 0.
func AppendField(dst []byte, last, id int16, t Type) []byte {
	if delta := int(id) - int(last); 0 < delta && delta <= 15 {
		return append(dst, byte(delta)<<4|byte(t))
	}
	return binary.AppendVarint(append(dst, byte(t)), int64(id))
}

// AppendInt appends the value of a field of type I16, I32 or I64.
func AppendInt(dst []byte, v int64) []byte { return binary.AppendVarint(dst, v) }
