package mmap

import (
	"errors"
	"os"
	"time"
)

// OpenRegular opens a file that is no directory, device or pipe.
func OpenRegular(path string) (*os.File, error) {
	file, err := openRegular(path)
	for n := 0; n < 100 && isBusy(err); n++ {
		time.Sleep(time.Millisecond)
		file, err = openRegular(path)
	}
	return file, err
}

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
