package checked_test

import (
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestFilesOfFilters: the zero Filter has none, and in the one of New, whose bytes are right, lookups check nothing.
func TestFilesOfFilters(t *testing.T) {
	if _, err := checked.FileOf(new(simdbloom.Filter)); err == nil {
		t.Error("the zero Filter has a file")
	}
	m := contract.Must(bloom.NewMutable(1000, 10, keyhash.XX64))
	data := contract.Must(m.MarshalBinary())
	lazy := contract.Must(filterfile.OpenBytes(data, filterfile.WithLazyCheck()))
	made := contract.Must(filterfile.New(lazy))
	for f, checks := range map[*filterfile.File]bool{lazy: true, made: false} {
		if file := contract.Must(checked.FileOf(f.Filter)); (file.Pieces != nil) != checks {
			t.Errorf("lookups check pieces: %v", !checks)
		}
	}
}
