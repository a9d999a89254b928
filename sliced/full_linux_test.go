package sliced_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/program"
)

// TestNoRoom: if the system does not take all bytes, WriteFile says so, and the old file is there.
func TestNoRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	s := newFilters(someFilters(500))
	if err := s.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	program.WithoutRoom(t, 4096, func() {
		if err := s.WriteFile(path); !errors.Is(err, syscall.EFBIG) {
			t.Error(err)
		}
	})
	if !bytes.Equal(contract.Must(os.ReadFile(path)), bytesOf(s)) {
		t.Error("the old file is not there")
	}
}
