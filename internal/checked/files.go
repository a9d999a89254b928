package checked

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"

	"github.com/simdbloom/simdbloom/internal/mmap"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// Bytes returns the filter in the bytes of a file, without copying them.
func Bytes(data []byte, o Options) (*Filter, error) {
	file, err := stored.Parse(data)
	if err != nil {
		return nil, wrap(err)
	}
	return New(file, o)
}

// Read reads a filter file up to its end, and returns the number of bytes, too.
func Read(r io.Reader, o Options) (made *Filter, n int64, err error) {
	file, n, err := stored.Read(r)
	if err != nil {
		return nil, n, wrap(err)
	}
	made, err = New(file, o)
	return made, n, err
}

// OpenFile maps the file, or reads it. The garbage collector unmaps it when nothing refers to the Filter: whoever uses
// its bytes keeps that alive.
func OpenFile(file *os.File, o Options) (*Filter, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, wrap(err)
	}
	size := info.Size()
	if mapped, err := Map(file, size); err == nil {
		if !o.Lazy {
			mmap.ReadAhead(mapped)
		}
		made, err := Bytes(mapped, o)
		if err != nil {
			mmap.Unmap(mapped)
			return nil, err
		}
		made.mapped = true
		runtime.AddCleanup(made, mmap.Unmap, mapped)
		return made, nil
	}
	made, _, err := Read(io.NewSectionReader(file, 0, size), o)
	return made, err
}

// Map maps a file of the given size, if it may be a filter file.
func Map(file *os.File, size int64) ([]byte, error) {
	if size < stored.LeastBytes || size > math.MaxInt {
		return nil, errors.ErrUnsupported
	}
	return mmap.Map(file, int(size))
}

// About returns an error with the name of the file or folder that it is about, which the system's errors have, unless
// it is empty.
func About(name string, err error) error {
	if err == nil || name == "" || errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("%w (%s)", err, name)
}
