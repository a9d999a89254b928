package sliced_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/sliced"
)

// TestOpenedFilesAreClosed: a mapped file needs no descriptor.
func TestOpenedFilesAreClosed(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	path := filepath.Join(t.TempDir(), "file")
	if err := newFilters(someFilters(40)).WriteFile(path); err != nil {
		t.Fatal(err)
	}
	const self = "/proc/self/fd"
	before := len(contract.Must(os.ReadDir(self)))
	for range 20 {
		contract.Must(sliced.Open(path))
	}
	if now := len(contract.Must(os.ReadDir(self))); now >= before+20 {
		t.Errorf("%d files are open, and %d before", now, before)
	}
}

// TestNoRoom: if the system does not take all bytes, WriteFile says so, and the old file is there.
func TestNoRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	s := newFilters(slices.Repeat(someFilters(500), 80))
	if err := s.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	program.WithoutRoom(t, func() {
		if err := s.WriteFile(path); !errors.Is(err, syscall.EFBIG) {
			t.Error(err)
		}
	})
	if !bytes.Equal(contract.Must(os.ReadFile(path)), bytesOf(s)) {
		t.Error("the old file is not there")
	}
}
