package filterfile

import (
	"errors"
	"io"
	"math"
	"os"
	"runtime"

	"github.com/simdbloom/simdbloom/internal/mmap"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// Open returns the filter in a file. On Unix systems it maps the file into memory; elsewhere,
// and where that fails, it reads it. Close the Filter when you are done: a
// mapped file stays mapped until then.
//
// It reads the whole file, to check it, unless [WithLazyCheck] is given. Its error wraps
// [ErrCorrupt] if the bytes are wrong, [ErrUnknown], or the system's error. A directory, a
// device or a pipe is an error, too.
//
// A mapped file's pages are the system's, which may drop them when memory is short, and read
// them again. Nobody may write to the file or shorten it while it is mapped: then lookups
// give wrong answers, or the program ends. [WriteFile] and a rename never do that to an open file.
func Open(path string, options ...OpenOption) (*Filter, error) {
	o := openOptionsOf(options)
	file, err := openRegular(path)
	if err != nil {
		return nil, wrap(err)
	}
	defer file.Close()
	made, err := openFile(file, o)
	if err != nil {
		return nil, about(path, err)
	}
	return filterOf(made), nil
}

// openRegular opens a file that is no directory, device or pipe.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path) // before opening: a named pipe would wait for a writer
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// openFile maps the file, or reads it.
func openFile(file *os.File, o openOptions) (*opened, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, wrap(err)
	}
	size := info.Size()
	if mapped, err := mapWhole(file, size); err == nil {
		if !o.lazy {
			mmap.ReadAhead(mapped)
		}
		made, err := openBytes(mapped, o)
		if err != nil {
			mmap.Unmap(mapped)
			return nil, err
		}
		made.mapped = mapped
		return made, nil
	}
	made, _, err := read(io.NewSectionReader(file, 0, size), o)
	return made, err
}

// mapWhole maps a file of the given size, if it may be a filter file.
func mapWhole(file *os.File, size int64) ([]byte, error) {
	if size < stored.LeastBytes || size > math.MaxInt {
		return nil, errors.ErrUnsupported
	}
	return mmap.Map(file, int(size))
}

// Close ends the use of the filter. Lookups that are under way in other goroutines end as they
// would have; later ones panic. A mapped file is unmapped by the garbage collector, when no
// lookup uses it any more, and nothing that [New] made of f. A Filter without a file need not be
// closed. It returns nil.
func (f *Filter) Close() error {
	f.replace(nil)
	return nil
}

// replace makes f another filter, or none.
func (f *Filter) replace(made *opened) {
	if old := f.opened.Swap(made); old != nil && old.mapped != nil {
		runtime.AddCleanup(old, mmap.Unmap, old.mapped)
	}
}
