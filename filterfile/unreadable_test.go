package filterfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestUnreadableFiltersAreNotWritten: package bloom takes a broken Ribbon filter for one of an unknown format, and a
// file of it could not be opened.
func TestUnreadableFiltersAreNotWritten(t *testing.T) {
	f := must(bloom.Open(append(make([]byte, 100), 0xfe, 0, 7, 0, 0), keyhash.XXPH3))
	path := filepath.Join(t.TempDir(), "file")
	if err := filterfile.WriteFile(path, f); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("there is a file")
	}
}
