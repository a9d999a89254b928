package filterfile

import (
	"encoding"
	"io"

	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/stored"
)

var (
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
	_ io.ReaderFrom              = (*Filter)(nil)
)

// OpenBytes returns the filter in the bytes of a file, without copying them: they must neither
// change nor be freed while it is in use. Bytes that begin at a multiple of 64 are looked up
// fastest.
//
// It takes any bytes. Its error wraps [ErrCorrupt], or [ErrUnknown]. It reads all of them, unless
// [WithLazyCheck] is given.
func OpenBytes(data []byte, options ...OpenOption) (*Filter, error) {
	o := openOptionsOf(options)
	if err := o.whole(); err != nil {
		return nil, err
	}
	made, err := openBytes(data, o)
	if err != nil {
		return nil, err
	}
	return filterOf(made), nil
}

// UnmarshalBinary makes f the filter in the bytes of a file, of which it keeps a copy. See
// [OpenBytes] and [Expect]. After an error f is what it was. Do not call it while others use f.
func (f *Filter) UnmarshalBinary(data []byte) error {
	file, err := stored.Parse(data)
	if err != nil {
		return wrap(err)
	}
	file.Body = aligned.Copy(file.Body)
	made, err := newOpened(file, f.options)
	if err != nil {
		return err
	}
	f.replace(made)
	return nil
}

func openBytes(data []byte, o openOptions) (*opened, error) {
	file, err := stored.Parse(data)
	if err != nil {
		return nil, wrap(err)
	}
	return newOpened(file, o)
}

// Expect returns a Filter without bytes, for [Filter.UnmarshalBinary], [Filter.ReadFrom] and
// decoders that call them. They go by the options.
func Expect(options ...OpenOption) *Filter {
	return &Filter{options: openOptionsOf(options)}
}

// Read reads a filter file up to its end, into memory that begins at a multiple of 64. Bytes
// that are wrong are an error that wraps [ErrCorrupt], or [ErrUnknown]; errors of r are wrapped,
// too. Whatever the bytes say, it allocates at most about three times what r gives, and a
// megabyte.
func Read(r io.Reader, options ...OpenOption) (*Filter, error) {
	f := Expect(options...)
	if _, err := f.ReadFrom(r); err != nil {
		return nil, err
	}
	return f, nil
}

// ReadFrom makes f the filter that r gives, and returns the number of bytes that it read. See
// [Read]. After an error f is what it was. Do not call it while others use f.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	made, n, err := read(r, f.options)
	if err != nil {
		return n, err
	}
	f.replace(made)
	return n, nil
}

func read(r io.Reader, o openOptions) (made *opened, n int64, err error) {
	file, n, err := stored.Read(r, o.more)
	if err != nil {
		return nil, n, wrap(err)
	}
	made, err = newOpened(file, o)
	return made, n, err
}
