// Package checked has the filters of files, whose bytes are checked at once or when lookups need them: what packages
// filterfile and filterset share.
package checked

import (
	"fmt"
	"runtime"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/cold"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Options are the options of everything that reads a filter file.
type Options struct {
	Hash keyhash.Hash // that the filter must have, or zero
	Lazy bool         // bytes are checked when lookups need them

	Remote cold.Options // of files that are read by ranges
}

// OptionsOf returns the options as changed by all functions.
func OptionsOf[O ~func(*Options)](options []O) (o Options) {
	for _, option := range options {
		if option != nil {
			option(&o)
		}
	}
	return o
}

// Filter is the filter of a file: its bytes, and their reader. It is immutable, except for the record of checked
// pieces.
type Filter struct {
	stored.File
	Unchecked *simdbloom.Filter // looks up without any check

	mapped  bool // the bytes are the file's, as long as this Filter is reachable
	pieces  *stored.Pieces
	pieceOf func(hash uint64) int // that a lookup reads; nil if it may read any
	under   *Filter               // whose bytes these are, or nil
}

// New reads the filter in a file, which it checks as the options say.
func New(file stored.File, o Options) (*Filter, error) {
	pieces := file.Pieces()
	check := pieces.CheckAll
	if o.Lazy {
		check = pieces.CheckEnd
	}
	if err := check(); err != nil {
		return nil, wrap(err)
	}
	filter, err := simdbloom.OpenNamed(file.Format, file.Body, o.Hash)
	if err != nil {
		return nil, err
	}
	if formats.Of(asm.Format(filter.Format())).HeaderBytes > 0 && !pieces.Check(0) { // the rest is read by the header
		return nil, wrap(pieces.Err())
	}
	return &Filter{File: file, Unchecked: filter, pieces: pieces, pieceOf: pieceOf(filter, file.PieceBytes)}, nil
}

// Trust returns a filter that is the content of a file, and needs no check.
func Trust(file stored.File, filter *simdbloom.Filter) *Filter {
	pieces := file.Pieces()
	pieces.Trust()
	return &Filter{File: file, Unchecked: filter, pieces: pieces}
}

// Over returns the same filter over the same bytes, which stay mapped as long as it is used.
func (f *Filter) Over() *Filter {
	return &Filter{File: f.File, Unchecked: f.Unchecked, pieces: f.pieces, pieceOf: f.pieceOf, under: f}
}

// Recut makes the file's pieces have another size.
func (f *Filter) Recut(pieceBytes int) error {
	info := f.Info
	file, err := stored.New(f.Format, f.Body, pieceBytes)
	if err != nil {
		return wrap(err)
	}
	f.File = file
	f.Keys, f.BitsPerKey = info.Keys, info.BitsPerKey
	f.pieces = f.File.Pieces()
	f.pieces.Trust()
	return nil
}

// CopyAligned returns the same filter over a copy of its bytes in memory that begins at a multiple of 64. What was not
// checked is checked in the copy when lookups need it.
func (f *Filter) CopyAligned() *Filter {
	file := f.File
	file.Body = aligned.Copy(f.Body)
	pieces := file.Pieces()
	if f.Sound() {
		pieces.Trust()
	}
	runtime.KeepAlive(f)
	filter, err := simdbloom.OpenNamed(f.Format, file.Body, f.Unchecked.Hash())
	if err != nil { // a mapped file was changed meanwhile
		return f.Over()
	}
	return &Filter{File: file, Unchecked: filter, pieces: pieces, pieceOf: f.pieceOf}
}

// Mapped reports whether the bytes are a mapped file's.
func (f *Filter) Mapped() bool { return f.mapped || f.under != nil && f.under.Mapped() }

// Check compares all checksums that were not compared yet.
func (f *Filter) Check() error {
	if f.Sound() {
		return nil
	}
	err := f.pieces.CheckAll()
	runtime.KeepAlive(f)
	return wrap(err)
}

// Err returns an error about the first piece that was found to be wrong, or nil.
func (f *Filter) Err() error { return wrap(f.pieces.Err()) }

// wrap returns an error about a filter file, whoever reads it.
func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("filterfile: %w", err)
}
