package filterfile

import (
	"fmt"
	"io"
	"reflect"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

// New returns a File over f's bytes, without copying them, with the number of keys and other facts from the options,
// which its MarshalBinary and WriteTo write. It reads the whole filter, for the checksums. If f is a [File] itself, the
// result keeps what was recorded, except for the options, and stays open when f is closed.
//
// It is an error if f is nil or has no bytes, if an option is invalid, if the key hash's name is longer than 1,003
// bytes, and if f was read lazily and its bytes are wrong.
func New(f Source, options ...WriteOption) (*File, error) {
	if m, ok := f.(*simdbloom.Mutable); ok && m != nil {
		f = m.Snapshot() // the result is used while keys are added
	}
	file, err := seal(f, options)
	if err != nil {
		return nil, err
	}
	return fileOrError(checked.Filter(file, f.(writer).Hash()))
}

// seal returns the filter's file with checksums that are right, and what the options record. No key may be added to a
// Mutable as long as it is used.
func seal(f Source, options []WriteOption) (*stored.File, error) {
	var o writeOptions
	for _, option := range options {
		if option != nil {
			option(&o)
		}
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if v := reflect.ValueOf(f); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("filterfile: the filter is nil (%T)", f)
	}
	if own, ok := f.(*File); ok && (own.Filter == nil || own.Hash().IsZero()) {
		return nil, errClosed
	}
	var h stored.Handover
	if w, ok := f.(writer); ok {
		if w.Hash().IsZero() {
			return nil, wrap(stored.ErrZero)
		}
		if _, err := w.WriteTo(&h); err != nil {
			return nil, err
		}
	}
	if h.File == nil {
		return nil, fmt.Errorf("filterfile: a filter of type %T does not tell its format: it must embed a *simdbloom.Filter", f)
	}
	if err := h.File.Check(); err != nil {
		return nil, wrap(err)
	}
	file := *h.File
	file.Pieces = nil
	if o.pieceBytes != nil && *o.pieceBytes != file.PieceBytes {
		if err := file.Recut(*o.pieceBytes); err != nil {
			return nil, wrap(err)
		}
	}
	if o.keys != nil {
		file.Keys = int64(*o.keys)
	}
	if o.bitsPerKey != nil {
		file.BitsPerKey = *o.bitsPerKey
	}
	return &file, nil
}

// Write writes a filter file to w. It reads the whole filter, for the checksums, and copies only a
// [simdbloom.Concurrent].
func Write(w io.Writer, f Source, options ...WriteOption) error {
	file, err := seal(f, options)
	if err == nil {
		_, err = file.WriteTo(w)
		err = wrap(err)
	}
	return err
}

// Append appends the bytes of a filter file to dst, and returns the extended slice, or dst after an error. It reads
// the whole filter, for the checksums.
func Append(dst []byte, f Source, options ...WriteOption) ([]byte, error) {
	file, err := seal(f, options)
	if err != nil {
		return dst, err
	}
	return file.AppendTo(dst), nil
}

// Source is a filter that can be written: [simdbloom.Filter], [simdbloom.Mutable], to which no key may be added
// meanwhile, [simdbloom.Concurrent], of which a copy is taken with the keys that it has then, a [File], and types that
// embed one of these. Others are an error.
type Source interface {
	// Bytes returns the filter's bytes.
	Bytes() []byte
}

// writer is a Source that tells its format.
type writer interface {
	io.WriterTo
	Hash() keyhash.Hash
}
