package simdbloom

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

var (
	_ encoding.BinaryMarshaler   = (*Filter)(nil)
	_ encoding.BinaryAppender    = (*Filter)(nil)
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
	_ io.WriterTo                = (*Filter)(nil)
	_ io.ReaderFrom              = (*Filter)(nil)
)

// Name returns the name that is recorded for the filter's bytes: its format and its key hash, such as
// "simdbloom.FastLocal.XX64". [OpenNamed] opens bytes by it. It panics on the zero Filter.
func (f *Filter) Name() string {
	if f.hash.IsZero() {
		panic("simdbloom: the zero Filter has no name")
	}
	named := asm.Format(f.named)
	c, _ := formats.ReaderNamed(named, f.batchBlocks())(f.data) // the kernel has no batches if all keys have the same answer
	runtime.KeepAlive(f)
	c.Decide(f.hash)
	return formats.RecordedName(named, c.BatchBlocks, f.hash)
}

// MarshalBinary returns the bytes of a filter file, as package filterfile writes it: the format,
// the key hash's name, checksums, and the filter as it is now. So gob encodes filters, and they can be
// values in a key-value store. [Filter.UnmarshalBinary] and package filterfile read it.
//
// It reads the filter for the checksums, and copies it. It is an error if f is the zero Filter, if the name of the key
// hash is longer than 1,003 bytes, or if the bytes are another format's broken filter, which [Open] took for an unknown
// one's. Any number of goroutines may call it at once.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// AppendBinary appends MarshalBinary's bytes to dst.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) {
	file, err := f.ownFile()
	if err == nil {
		err = wrap(file.Check())
	}
	if err != nil {
		return dst, err
	}
	return file.AppendTo(dst), nil
}

// WriteTo writes MarshalBinary's bytes to w, and returns the number of bytes. It does not copy
// the filter, unless it is a [Concurrent]: no key may be added to a [Mutable] meanwhile. Errors of w
// are wrapped.
func (f *Filter) WriteTo(w io.Writer) (n int64, err error) {
	to, isHandover := w.(*stored.Handover)
	if isHandover && to.Peek {
		to.File = f.file
		return 0, nil
	}
	file, err := f.ownFile()
	if err != nil {
		return 0, err
	}
	if isHandover {
		to.File = file
		return 0, nil
	}
	if err := file.Check(); err != nil {
		return 0, wrap(err)
	}
	n, err = file.WriteTo(w)
	return n, wrap(err)
}

// ownFile returns the file that the filter is from, or a new one.
func (f *Filter) ownFile() (*stored.File, error) {
	switch {
	case f == nil || f.hash.IsZero():
		return nil, wrap(stored.ErrZero)
	case f.file != nil:
		return f.file, nil
	}
	name, data := f.Name(), f.Bytes()
	if _, err := OpenNamed(name, data, f.hash); err != nil {
		return nil, fmt.Errorf("simdbloom: it could not be read again: %w", err)
	}
	file, err := stored.New(name, data, stored.PieceBytes)
	file.BitsPerKey = f.BitsPerKey()
	return &file, wrap(err)
}

// UnmarshalBinary makes f the filter in the bytes of a filter file, of any format, of which it keeps a
// copy that begins at a multiple of 64. The zero Filter gets the key hash that the file records. Any
// other filter keeps its own, and the file must record that one: with a hash from [keyhash.New], begin
// with an empty filter, which [Open] makes of no bytes.
//
// It accepts any bytes, and checks all checksums. The error wraps [ErrCorrupt] if the bytes are wrong,
// and [ErrUnknown] if they are an intact file of a format or key hash that is not known, or of another
// hash than f's. After an error f is unchanged. Do not call it while others use f.
func (f *Filter) UnmarshalBinary(data []byte) error {
	file, err := stored.Copy(data)
	if err != nil {
		return wrap(err)
	}
	return f.take(&file, keyhash.Hash{})
}

// ReadFrom is UnmarshalBinary of all bytes that r gives, and returns how many these are. Errors of
// r are wrapped. Whatever the bytes, it allocates at most about three times their number,
// and a megabyte.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	if from, ok := r.(*stored.Handover); ok {
		return 0, f.take(from.File, from.Hash)
	}
	file, n, err := stored.ReadAll(r)
	if err != nil {
		return n, wrap(err)
	}
	return n, f.take(&file, keyhash.Hash{})
}

// take makes f the filter in a file, whose memory it keeps. The file must have the hash, or f's if that is zero.
func (f *Filter) take(file *stored.File, hash keyhash.Hash) error {
	switch {
	case f == nil:
		return errors.New("simdbloom: the Filter is nil")
	case f.kernel.CanAdd():
		return errors.New("simdbloom: the Filter of a Mutable or Concurrent cannot be replaced: call UnmarshalBinary or ReadFrom of these")
	}
	if hash.IsZero() {
		hash = f.hash
	}
	made, err := openNamed(file.Format, file.Body, hash, file)
	if err != nil {
		return err
	}
	*f = *made
	return nil
}
