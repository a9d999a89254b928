package filterfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/mmap"
)

// TestFilesThatAreCutShort are errors wherever they end, also in a header that says where the filter begins.
func TestFilesThatAreCutShort(t *testing.T) {
	s := fastLocal(t, 12)
	data := must(filterfile.Append(nil, s.filter))
	path := filepath.Join(t.TempDir(), "file")
	for n := len(data) - 1; n >= 0; n-- {
		if err := os.WriteFile(path, data[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithLazyCheck()}} {
			if f, err := filterfile.Open(path, options...); f != nil || !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatalf("%d of %d bytes: %v", n, len(data), err)
			}
		}
	}
}

// TestUnmappedFiles: if no more files can be mapped, files are read.
func TestUnmappedFiles(t *testing.T) {
	s := fastLocal(t, 12)
	data := must(filterfile.Append(nil, s.filter))
	path := filepath.Join(t.TempDir(), "file")
	mmap.Count.Add(mmap.Most)
	defer mmap.Count.Add(-mmap.Most)
	for n := range len(data) + 1 {
		if err := os.WriteFile(path, data[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := filterfile.Open(path)
		if n < len(data) {
			if f != nil || !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatalf("%d of %d bytes: %v", n, len(data), err)
			}
		} else if err != nil || !f.Contains(s.keys[0]) {
			t.Fatal(err)
		}
	}
}
