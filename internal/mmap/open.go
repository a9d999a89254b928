package mmap

import (
	"errors"
	"os"
)

// OpenRegular opens a file that is no directory, device or pipe.
func OpenRegular(path string) (*os.File, error) {
	info, err := os.Stat(path) // before opening: a named pipe would wait for a writer
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}
