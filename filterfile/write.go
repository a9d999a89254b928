package filterfile

import (
	"encoding"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

var (
	_ encoding.BinaryMarshaler = (*Filter)(nil)
	_ encoding.BinaryAppender  = (*Filter)(nil)
	_ io.WriterTo              = (*Filter)(nil)
)

// New returns a Filter over f's bytes, without copying them, which adds what a file records. Use
// it to give a filter of another package to an encoder, such as encoding/gob. It computes the
// checksums, for which it reads the whole filter. If f is a [Filter] itself, the result keeps what
// was recorded, except for what the options say, and stays open when f is closed.
//
// It is an error if an option is invalid, if f does not say its format and there is no
// [WithPolicy], if the key hash's name is longer than 1,000 bytes, and if f was read lazily and
// its bytes are wrong.
func New(f Source, options ...WriteOption) (*Filter, error) {
	var o writeOptions
	for _, option := range options {
		option(&o)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	made, err := sealed(f, o)
	if err != nil {
		return nil, err
	}
	if o.keys != nil {
		made.Keys = int64(*o.keys)
	}
	if o.bitsPerKey != nil {
		made.BitsPerKey = *o.bitsPerKey
	}
	return filterOf(made), nil
}

// sealed returns the filter with its checksums.
func sealed(f Source, o writeOptions) (*opened, error) {
	if own, ok := f.(*Filter); ok {
		under := own.opened.Load()
		if under == nil {
			return nil, errClosed
		}
		if err := under.check(); err != nil {
			return nil, err
		}
		return &opened{header: under.header, filter: under.filter, body: under.body, under: under}, nil
	}
	if growing, ok := f.(interface{ Snapshot() *bloom.Filter }); ok {
		f = growing.Snapshot()
	}
	h := header{Info: Info{Keys: -1}}
	body := f.Bytes()
	var hash keyhash.Hash
	if o.policy != nil {
		h.Format, hash = o.policy.Name(), o.policy.Hash()
	} else {
		var err error
		if h.Format, hash, err = recordedOf(f); err != nil {
			return nil, err
		}
	}
	h.Hash = hash.Name()
	const most = mostNameBytes - len(paired128)
	if len(h.Hash) > most {
		return nil, fmt.Errorf("filterfile: the key hash's name has %d bytes, more than %d", len(h.Hash), most)
	}
	filter, err := openAs(h.Info, hash, body)
	if err != nil {
		return nil, err
	}
	s, ok := sizesFor(len(h.Format), len(h.Hash), uint64(len(body)))
	if !ok {
		return nil, fmt.Errorf("filterfile: the filter and its header are longer than %d bytes", math.MaxInt)
	}
	h.Offset, h.Length, h.sums = int64(s.body), int64(s.length), sumsOf(body)
	return &opened{header: h, filter: filter, body: body}, nil
}

// Write writes a filter file to w. It reads the whole filter, for the checksums.
func Write(w io.Writer, f Source, options ...WriteOption) error {
	made, err := New(f, options...)
	if err != nil {
		return err
	}
	_, err = made.WriteTo(w)
	return err
}

// Append appends the bytes of a filter file to dst.
func Append(dst []byte, f Source, options ...WriteOption) ([]byte, error) {
	made, err := New(f, options...)
	if err != nil {
		return dst, err
	}
	return made.AppendBinary(dst)
}

// WriteTo writes the bytes of a file to w, and returns how many. If some are unchecked, it
// checks them before, and writes nothing if they are wrong.
func (f *Filter) WriteTo(w io.Writer) (n int64, err error) {
	o, err := f.checked()
	if err != nil {
		return 0, err
	}
	written, err := w.Write(o.appendTo(nil))
	n = int64(written)
	if err == nil && len(o.body) > 0 {
		written, err = w.Write(o.body)
		n += int64(written)
	}
	runtime.KeepAlive(o)
	if err == nil && n != o.Offset+o.Length {
		err = io.ErrShortWrite
	}
	return n, err
}

// AppendBinary appends the bytes of a file to dst. See WriteTo.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) {
	o, err := f.checked()
	if err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, int(o.Offset+o.Length))
	dst = append(o.appendTo(dst), o.body...)
	runtime.KeepAlive(o)
	return dst, nil
}

// MarshalBinary returns the bytes of a file. See WriteTo.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// checked returns the filter's bytes, all of which are right.
func (f *Filter) checked() (*opened, error) {
	o := f.opened.Load()
	if o == nil {
		return nil, errClosed
	}
	return o, o.check()
}
