package filterfile

import (
	"io"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/checked"
)

// OpenBytes returns the filter in the bytes of a file, without copying them: they must neither
// change nor be freed while it is in use. Bytes that begin at a multiple of 64 are looked up
// fastest.
//
// It accepts any bytes. Its error wraps [simdbloom.ErrCorrupt], or [simdbloom.ErrUnknown]. It reads all of them, unless
// [WithLazyCheck] is given.
func OpenBytes(data []byte, options ...OpenOption) (*File, error) {
	return fileOrError(checked.Bytes(data, checked.OptionsOf(options)))
}

func fileOrError(made *simdbloom.Filter, err error) (*File, error) {
	if err != nil {
		return nil, err
	}
	return &File{Filter: made}, nil
}

// Read reads a filter file up to its end, into memory that begins at a multiple of 64. Bytes
// that are wrong are an error that wraps [simdbloom.ErrCorrupt], or [simdbloom.ErrUnknown]; errors of r are wrapped,
// too. Whatever the bytes say, it allocates at most about three times what r gives, and a
// megabyte.
func Read(r io.Reader, options ...OpenOption) (*File, error) {
	return fileOrError(checked.Read(r, checked.OptionsOf(options)))
}
