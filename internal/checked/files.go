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

// OpenFile maps the file, or reads it. Whoever uses the Filter's bytes keeps it alive.
func OpenFile(file *os.File, o Options) (*Filter, error) {
	made, mapped, err := Load(file, o, New)
	if err == nil {
		made.mapped = mapped
	}
	return made, err
}

// Load maps a file, or reads it, and returns what open makes of it. The garbage collector unmaps it when nothing refers
// to that.
func Load[T any](file *os.File, o Options, open func(stored.File, Options) (*T, error)) (made *T, mapped bool, err error) {
	info, err := file.Stat()
	if err != nil {
		return nil, false, wrap(err)
	}
	size := info.Size()
	data, err := Map(file, size)
	if err != nil {
		read, _, err := stored.Read(io.NewSectionReader(file, 0, size))
		if err != nil {
			return nil, false, wrap(err)
		}
		made, err = open(read, o)
		return made, false, err
	}
	if !o.Lazy {
		mmap.ReadAhead(data)
	}
	parsed, err := stored.Parse(data)
	if err = wrap(err); err == nil {
		made, err = open(parsed, o)
	}
	if err != nil {
		mmap.Unmap(data)
		return nil, false, err
	}
	runtime.AddCleanup(made, mmap.Unmap, data)
	return made, true, nil
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
