package filterfile

import (
	"encoding"
	"fmt"
	"io"
	"reflect"
	"runtime"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/stored"
)

var (
	_ encoding.BinaryMarshaler = (*Filter)(nil)
	_ encoding.BinaryAppender  = (*Filter)(nil)
	_ io.WriterTo              = (*Filter)(nil)
)

// New returns a Filter over f's bytes, without copying them, which adds what a file records. Use
// it to give an encoder, such as encoding/gob, a filter of any format, or the number of its keys.
// It computes the checksums, for which it reads the whole filter. If f is a [Filter] itself, the result
// keeps what was recorded, except for the options, and stays open when f is closed.
//
// It is an error if f is nil or has no bytes, if an option is invalid, if f does not say its format and
// there is no [WithPolicy], if the key hash's name is longer than 1,003 bytes, and if f was read lazily
// and its bytes are wrong.
func New(f Source, options ...WriteOption) (*Filter, error) {
	if m, ok := f.(*simdbloom.Mutable); ok && m != nil {
		f = m.Snapshot() // the result is used while keys are added
	}
	made, err := seal(f, options)
	if err != nil {
		return nil, err
	}
	return filterOf(made), nil
}

// seal returns the filter with its checksums, and what the options record. No key may be added to a Mutable as long as
// it is used.
func seal(f Source, options []WriteOption) (*checked.Filter, error) {
	var o writeOptions
	for _, option := range options {
		if option != nil {
			option(&o)
		}
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	made, err := sealed(f, &o)
	if err != nil {
		return nil, err
	}
	if o.keys != nil {
		made.Keys = int64(*o.keys)
	}
	if o.bitsPerKey != nil {
		made.BitsPerKey = *o.bitsPerKey
	}
	return made, nil
}

// sealed returns the filter with its checksums.
func sealed(f Source, o *writeOptions) (*checked.Filter, error) {
	p, pieceBytes := o.policy, stored.PieceBytes
	if o.pieceBytes != nil {
		pieceBytes = *o.pieceBytes
	}
	if v := reflect.ValueOf(f); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("filterfile: the filter is nil (%T)", f)
	}
	if own, ok := f.(*Filter); ok {
		under, err := own.checked()
		if err != nil {
			return nil, err
		}
		over := under.Over()
		if o.pieceBytes != nil && pieceBytes != over.PieceBytes {
			err = over.Recut(pieceBytes)
		}
		return over, err
	}
	if m, ok := f.(*simdbloom.Mutable); ok {
		f = &m.Filter
	} else if adder, ok := f.(interface{ Snapshot() *simdbloom.Filter }); ok {
		f = adder.Snapshot()
	}
	filter, ok := f.(*simdbloom.Filter)
	bitsPerKey := 0.0
	if ok {
		bitsPerKey = stored.BitsPerKeyOf(filter)
	}
	switch {
	case ok && filter.Hash().IsZero():
		return nil, wrap(stored.ErrZero)
	case p != nil:
		var err error
		if filter, err = (*p).Open(f.Bytes()); err != nil {
			return nil, err
		}
	case !ok:
		return nil, fmt.Errorf("filterfile: a filter of type %T does not say its format: give WithPolicy", f)
	}
	name, data := filter.Name(), filter.Bytes()
	if _, err := simdbloom.OpenNamed(name, data, filter.Hash()); err != nil {
		return nil, fmt.Errorf("filterfile: it could not be read again: %w", err)
	}
	file, err := stored.New(name, data, pieceBytes)
	if err != nil {
		return nil, wrap(err)
	}
	file.BitsPerKey = bitsPerKey
	return checked.Trust(file, filter), nil
}

// Write writes a filter file to w. It reads the whole filter, for the checksums, and copies only a
// [simdbloom.Concurrent].
func Write(w io.Writer, f Source, options ...WriteOption) error {
	made, err := seal(f, options)
	if err != nil {
		return err
	}
	_, err = writeTo(w, made)
	return wrap(err)
}

func writeTo(w io.Writer, o *checked.Filter) (n int64, err error) {
	n, err = o.File.WriteTo(w)
	runtime.KeepAlive(o)
	return n, err
}

// Append appends the bytes of a filter file to dst, and returns the extended slice, or dst after an error. It reads
// the whole filter, for the checksums.
func Append(dst []byte, f Source, options ...WriteOption) ([]byte, error) {
	made, err := seal(f, options)
	if err != nil {
		return dst, err
	}
	dst = made.AppendTo(dst)
	runtime.KeepAlive(made)
	return dst, nil
}

// WriteTo writes the bytes of a file to w, and returns how many. If some are unchecked, it
// checks them before, and writes nothing if they are wrong.
func (f *Filter) WriteTo(w io.Writer) (n int64, err error) {
	o, err := f.checked()
	if err != nil {
		return 0, err
	}
	n, err = writeTo(w, o)
	return n, wrap(err)
}

// AppendBinary appends the bytes of a file to dst. See WriteTo.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) {
	o, err := f.checked()
	if err != nil {
		return dst, err
	}
	dst = o.AppendTo(dst)
	runtime.KeepAlive(o)
	return dst, nil
}

// MarshalBinary returns the bytes of a file. See WriteTo.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// checked returns the filter's bytes, all of which are right.
func (f *Filter) checked() (*checked.Filter, error) {
	o := f.opened.Load()
	if o == nil {
		return nil, errClosed
	}
	return o, o.Check()
}
