package filterfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/mmap"
)

// manifest is filterset.Manifest, which this package cannot import.
const manifest = "set.manifest"

// Open returns the filter in a file. On Unix systems it maps the file into memory; elsewhere,
// and where that fails, it reads it. The garbage collector unmaps the file when nothing refers to the filter: to
// replace a File that goroutines look up in, swap the pointer to it, and do not close the old one.
//
// It reads the whole file, to check it, unless [WithLazyCheck] is given. Its error wraps
// [simdbloom.ErrCorrupt] if the bytes are wrong, [simdbloom.ErrUnknown], or the system's error. A directory, a
// device or a pipe is an error, too: filterset.Open opens the folder of a set.
//
// A mapped file's pages are the system's, which may drop them when memory is short, and read
// them again. Nobody may write to the file or shorten it while it is mapped: then lookups
// give wrong answers, or the program ends. [WriteFile] and a rename never do that to an open file.
func Open(path string, options ...OpenOption) (*File, error) {
	o := checked.OptionsOf(options)
	file, err := mmap.OpenRegular(path)
	if err != nil {
		if _, failed := os.Stat(filepath.Join(path, manifest)); failed == nil && path != "" {
			err = &fs.PathError{Op: "open", Path: path, Err: errors.New("the folder of a set: filterset.Open opens it")}
		}
		return nil, wrap(err)
	}
	defer file.Close()
	made, err := checked.OpenFile(file, o)
	if err != nil {
		return nil, checked.About(path, err)
	}
	return &File{Filter: made}, nil
}
