package filterfile_test

import (
	"bytes"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/simdbloom/simdbloom/filterfile"
)

// TestOpenedFilesAreClosed: a File needs no descriptor, and Open leaves none.
func TestOpenedFilesAreClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := filterfile.WriteFile(path, fastLocal(t, 12).filter); err != nil {
		t.Fatal(err)
	}
	const self = "/proc/self/fd"
	before := len(must(os.ReadDir(self)))
	var files []*filterfile.File
	for range 100 {
		files = append(files, must(filterfile.Open(path)))
	}
	if now := len(must(os.ReadDir(self))); now >= before+len(files) {
		t.Errorf("%d files are open, and %d before", now, before)
	}
	for _, f := range files {
		f.Close()
	}
}

// TestNoRoom: if the system does not take all bytes, WriteFile says so, and the old file is there alone.
func TestNoRoom(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	if err := filterfile.WriteFile(path, fastLocal(t, 12).filter); err != nil {
		t.Fatal(err)
	}
	old := must(os.ReadFile(path))
	large := fastLocal(t, 70_000).filter
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Skip(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: before.Max}); err != nil {
		t.Skip(err)
	}
	err := filterfile.WriteFile(path, large)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, syscall.EFBIG) {
		t.Error(err)
	}
	if now := must(os.ReadFile(path)); !bytes.Equal(now, old) || len(must(os.ReadDir(folder))) != 1 {
		t.Error("the old file is not there alone")
	}
}
