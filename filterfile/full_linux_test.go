package filterfile_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/keyhash"
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
	large := must(bloom.NewMutable(1, 10, keyhash.XX64, simdbloom.WithSizeBytes(4<<20+5)))
	program.WithoutRoom(t, func() {
		if err := filterfile.WriteFile(path, large); !errors.Is(err, syscall.EFBIG) {
			t.Error(err)
		}
	})
	if now := must(os.ReadFile(path)); !bytes.Equal(now, old) || len(must(os.ReadDir(folder))) != 1 {
		t.Error("the old file is not there alone")
	}
}
