package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// readFile calls read with a file. Its error does not have the file's name.
func readFile[R any](name string, read func(file io.ReaderAt, size int64) (R, error)) (result R, err error) {
	info, err := os.Stat(name) // before opening: a named pipe would wait for a writer
	if err != nil {
		return result, withoutName(err)
	}
	if !info.Mode().IsRegular() {
		return result, errors.New("not a regular file")
	}
	file, err := os.Open(name)
	if err != nil {
		return result, withoutName(err)
	}
	defer file.Close()
	result, err = read(file, info.Size())
	return result, withoutName(err)
}

// withoutName removes the file's name from an error: it is printed before the error.
func withoutName(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// readFiles reads files one after the other, and calls write with what each gave, or with the
// error, which it also reports. It returns the number of files that could not be read, and
// write's error.
func readFiles[R any](names []string, stderr io.Writer, read func(file io.ReaderAt, size int64) (R, error),
	write func(name string, result R, err error) error,
) (unreadable int, err error) {
	for _, name := range names {
		result, err := readFile(name, read)
		if err != nil {
			unreadable++
			fmt.Fprintf(stderr, "sstfilter: %s: %v\n", printable(name), err)
		}
		if err := write(name, result, err); err != nil {
			return unreadable, err
		}
	}
	return unreadable, nil
}
