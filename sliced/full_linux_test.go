package sliced_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/program"
)

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
