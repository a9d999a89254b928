package sst

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
)

// expanded returns the names with folders replaced by the tables in them, and patterns, which Windows' shells do not
// expand, by the files that match. A name of a file is no pattern. What has no tables stays, for the error about it.
func expanded(names []string) (all []string) {
	for _, name := range names {
		var found []string
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			found = tablesIn(name)
		} else if err != nil && strings.ContainsAny(name, "*?[") {
			matches, _ := filepath.Glob(name) // nothing for a malformed pattern
			for _, match := range matches {
				if info, err := os.Stat(match); err == nil && info.IsDir() {
					found = append(found, tablesIn(match)...)
				} else {
					found = append(found, match)
				}
			}
		}
		if len(found) == 0 {
			found = []string{name}
		}
		all = append(all, found...)
	}
	return all
}

// tablesIn returns the files in a folder whose names are those of tables.
func tablesIn(folder string) (names []string) {
	entries, _ := os.ReadDir(folder) // without any, the folder's own error is printed
	for _, entry := range entries {
		if extension := filepath.Ext(entry.Name()); !entry.IsDir() && (extension == ".sst" || extension == ".ldb") {
			names = append(names, filepath.Join(folder, entry.Name()))
		}
	}
	return names
}

// readFile calls read with a file. Its error does not have the file's name.
func readFile[R any](name string, read func(file io.ReaderAt, size int64) (R, error)) (result R, err error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return result, errors.New("a folder: name the tables in it, such as *.sst or *.ldb")
	}
	file, size, err := failures.OpenSized(name)
	if err != nil {
		return result, failures.WithoutName(err)
	}
	defer file.Close()
	result, err = read(file, size)
	return result, failures.WithoutName(err)
}

// mostAtOnce limits how many files are read at once: each needs the memory of a filter.
const mostAtOnce = 8

// readFiles reads files, several at once, and calls write in their order with each result, or with the
// error, which it also reports. It returns the number of files that could not be read, and write's error,
// which ends it.
func readFiles[R any](names []string, stderr io.Writer, read func(file io.ReaderAt, size int64) (R, error),
	write func(name string, result R, err error) error,
) (unreadable int, err error) {
	type outcome struct {
		name   string
		result R
		err    error
	}
	pending := make(chan chan outcome, min(runtime.GOMAXPROCS(0), mostAtOnce)-1) // and one that is waited for
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(pending)
		for _, name := range names {
			done := make(chan outcome, 1)
			select {
			case pending <- done:
			case <-stop:
				return
			}
			go func() {
				result, err := readFile(name, read)
				done <- outcome{name, result, err}
			}()
		}
	}()
	for done := range pending {
		o := <-done
		if o.err != nil {
			unreadable++
			fmt.Fprintf(stderr, "simdbloom sst: %s: %v\n", printable(o.name), o.err)
		}
		if err := write(o.name, o.result, o.err); err != nil {
			return unreadable, err
		}
	}
	return unreadable, nil
}
