// Package committed compares a clone's pages with the results that they are made of, in tests.
package committed

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// Pages returns the results in a file of a clone's folder bench, and the pages that are made of them. It is an error
// if the clone has others.
func Pages[R any](t *testing.T, clone, file string, pages func(r *R, clone string) (map[string][]byte, error)) (*R, map[string][]byte) {
	t.Helper()
	r, err := measured.Load[R](filepath.Join(clone, "bench", file))
	if err != nil {
		t.Fatal(err)
	}
	files, err := pages(r, clone)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(clone, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what bench/%s gives (make pages writes it): %v", name, file, err)
		}
	}
	return r, files
}
