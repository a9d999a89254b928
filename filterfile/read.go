package filterfile

import (
	"bytes"
	"encoding"
	"io"

	"github.com/simdbloom/simdbloom/internal/checked"
)

var (
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
	_ io.ReaderFrom              = (*Filter)(nil)
)

// OpenBytes returns the filter in the bytes of a file, without copying them: they must neither
// change nor be freed while it is in use. Bytes that begin at a multiple of 64 are looked up
// fastest.
//
// It accepts any bytes. Its error wraps [ErrCorrupt], or [ErrUnknown]. It reads all of them, unless
// [WithLazyCheck] is given.
func OpenBytes(data []byte, options ...OpenOption) (*Filter, error) {
	return filterOrError(checked.Bytes(data, checked.OptionsOf(options)))
}

func filterOrError(made *checked.Filter, err error) (*Filter, error) {
	if err != nil {
		return nil, err
	}
	return filterOf(made), nil
}

// Read reads a filter file up to its end, into memory that begins at a multiple of 64. Bytes
// that are wrong are an error that wraps [ErrCorrupt], or [ErrUnknown]; errors of r are wrapped,
// too. Whatever the bytes say, it allocates at most about three times what r gives, and a
// megabyte.
func Read(r io.Reader, options ...OpenOption) (*Filter, error) {
	made, _, err := checked.Read(r, checked.OptionsOf(options))
	return filterOrError(made, err)
}

// UnmarshalBinary makes f the filter in the bytes of a file, of which it keeps a copy: see
// [Filter.ReadFrom].
func (f *Filter) UnmarshalBinary(data []byte) error {
	_, err := f.ReadFrom(bytes.NewReader(data))
	return err
}

// ReadFrom makes f the filter that r gives, and returns the number of bytes that it read. See
// [Read]. The zero Filter gets the key hash that the file records, and any other one keeps its own.
// After an error f is unchanged. Do not call it while others use f.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	var o checked.Options
	if old := f.opened.Load(); old != nil {
		o.Hash = old.Unchecked.Hash()
	}
	made, n, err := checked.Read(r, o)
	if err == nil {
		f.replace(made)
	}
	return n, err
}
