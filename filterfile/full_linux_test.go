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
