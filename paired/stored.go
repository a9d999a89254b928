package paired

import (
	"io"

	"github.com/simdbloom/simdbloom/internal/stored"
)

// families are the names of this format in filter files, without the key hash.
var families = []string{stored.Paired128, stored.Paired32}

// MarshalBinary returns the bytes of a filter file, as package filterfile writes it: the format,
// the key hash's name, checksums, and the filter. So gob encodes filters, and they can be values
// in a key-value store. [Filter.UnmarshalBinary] and package filterfile read it.
//
// It reads the filter for the checksums, and copies it. It is an error if f is the zero Filter, or if the
// name of the key hash is longer than 1,000 bytes.
// Any number of goroutines may call it at once.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// AppendBinary appends to dst what MarshalBinary returns.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) {
	file, err := f.file()
	if err != nil {
		return dst, err
	}
	return file.AppendTo(dst), nil
}

// WriteTo writes to w what MarshalBinary returns, and returns the number of bytes. It does not copy
// the filter. Errors of w are wrapped.
func (f *Filter) WriteTo(w io.Writer) (n int64, err error) {
	file, err := f.file()
	if err != nil {
		return 0, err
	}
	n, err = file.WriteTo(w)
	return n, wrap(err)
}

// UnmarshalBinary makes f the filter in the bytes of a filter file, of which it keeps a copy that
// begins at a multiple of 64. The zero Filter takes the key hash that the file records, XX64 or
// XXPH3. Any other filter keeps its own, and the file must record that one: with a hash from
// keyhash.New, begin with an empty filter, which [Open] makes of no bytes.
//
// It takes any bytes, and checks all checksums. The error wraps [ErrCorrupt] if the bytes are wrong,
// and filterfile.ErrUnknown if they are an intact file of another format or key hash.
// After an error f is what it was. Do not call it while others use f.
func (f *Filter) UnmarshalBinary(data []byte) error {
	file, err := stored.Copy(data)
	if err != nil {
		return wrap(err)
	}
	return f.take(file)
}

// ReadFrom is UnmarshalBinary of all bytes that r gives, and returns how many these are. Errors of
// r are wrapped. Whatever the bytes say, it allocates at most about three times what r gives,
// and a megabyte.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	file, n, err := stored.ReadAll(r)
	if err != nil {
		return n, wrap(err)
	}
	return n, f.take(file)
}

func (f *Filter) file() (stored.File, error) {
	file, err := stored.Of(stored.Paired(f.batchBlocks), f.hash, f.data)
	return file, wrap(err)
}

// take makes f the filter in a file.
func (f *Filter) take(file stored.File) error {
	hash, err := file.HashIn(families, f.hash)
	if err != nil {
		return wrap(err)
	}
	made, err := Open(file.Body, hash)
	if err != nil {
		return err
	}
	*f = *made
	return nil
}
