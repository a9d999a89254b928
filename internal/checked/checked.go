// Package checked opens the filters of files, whose bytes are checked at once or when lookups need them, for packages
// filterfile and filterset.
package checked

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/cold"
	"github.com/simdbloom/simdbloom/internal/mmap"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Options are the options of everything that reads a filter file.
type Options struct {
	Hash keyhash.Hash // that the filter must have, or zero
	Lazy bool         // bytes are checked when lookups need them
	Soon bool         // the system begins to read all bytes

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

// Filter returns the filter of a file. It checks nothing.
func Filter(file *stored.File, hash keyhash.Hash) (f *simdbloom.Filter, err error) {
	f = new(simdbloom.Filter)
	if _, err := f.ReadFrom(&stored.Handover{File: file, Hash: hash}); err != nil {
		return nil, err
	}
	return f, nil
}

// FileOf returns the file of a filter, whose bytes may be unchecked.
func FileOf(f *simdbloom.Filter) (*stored.File, error) {
	var h stored.Handover
	_, err := f.WriteTo(&h)
	return h.File, err
}

// Check compares the checksums of a filter's file that were not compared yet, if it is from one.
func Check(f *simdbloom.Filter) error {
	if file := peek(f); file != nil {
		return file.Check()
	}
	return nil
}

// Borrow is f.Bytes for callers that keep f reachable: mapped bytes are not lent.
func Borrow(f *simdbloom.Filter) []byte {
	if file := peek(f); file != nil {
		return file.Body
	}
	return f.Bytes()
}

// peek returns the file that a filter is from, or nil.
func peek(f *simdbloom.Filter) *stored.File {
	h := stored.Handover{Peek: true}
	f.WriteTo(&h)
	return h.File
}

// Bytes returns the filter in the bytes of a file, without copying them.
func Bytes(data []byte, o Options) (*simdbloom.Filter, error) {
	file, err := stored.Parse(data)
	return begin(&file, err, o)
}

// begin returns the filter of a file that was read, and checks it as the options say.
func begin(file *stored.File, err error, o Options) (*simdbloom.Filter, error) {
	if err == nil {
		err = file.Begin(o.Lazy)
	}
	if err != nil {
		return nil, fmt.Errorf("filterfile: %w", err)
	}
	return Filter(file, o.Hash)
}

// Read reads a filter file up to its end.
func Read(r io.Reader, o Options) (*simdbloom.Filter, error) {
	file, _, err := stored.Read(r)
	return begin(&file, err, o)
}

// Mapped returns the filter in a mapped file, which stays mapped as long as the filter is reachable.
func Mapped(m *mmap.Mapping, o Options) (*simdbloom.Filter, error) {
	file, err := parse(m, o)
	return begin(&file, err, o)
}

func parse(m *mmap.Mapping, o Options) (stored.File, error) {
	if !o.Lazy || o.Soon {
		mmap.ReadAhead(m.Bytes())
	} else {
		mmap.Random(m.Bytes())
		if head, err := stored.HeadBytes(m.Bytes()); err == nil && head <= int64(len(m.Bytes())) {
			mmap.ReadAhead(m.Bytes()[:head])
		}
	}
	file, err := stored.Parse(m.Bytes())
	file.Mapping = m
	return file, err
}

// OpenFile maps the file, or reads it.
func OpenFile(file *os.File, o Options) (*simdbloom.Filter, error) {
	loaded, err := Load(file, o)
	return begin(&loaded, err, o)
}

// Load maps a file, or reads it, and checks no piece. It stays mapped as long as the result is reachable.
func Load(file *os.File, o Options) (loaded stored.File, err error) {
	info, err := file.Stat()
	if err != nil {
		return loaded, err
	}
	if m, err := Map(file, info.Size()); err == nil {
		return parse(m, o)
	}
	loaded, _, err = stored.Read(io.NewSectionReader(file, 0, info.Size()))
	return loaded, err
}

// Map maps a file of the given size, if it may be a filter file.
func Map(file *os.File, size int64) (*mmap.Mapping, error) {
	if size < stored.LeastBytes || size > math.MaxInt {
		return nil, errors.ErrUnsupported
	}
	return mmap.Open(file, int(size))
}

// About returns an error with the name of the file or folder that it is about, which the system's errors have, unless
// it is empty.
func About(name string, err error) error {
	if err == nil || name == "" || errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("%w (%s)", err, name)
}
