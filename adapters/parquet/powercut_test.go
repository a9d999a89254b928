//go:build linux

package parquet_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/internal/test/powercut"
)

// TestPowerCut: after AddFilters there is the old file or the new one, whole, whatever the system had stored.
func TestPowerCut(t *testing.T) {
	filters := parquet.Filters{"id": {filterOf(t, int64(7))}}
	old := image(columns, 1)
	added := with(t, old, filters)
	again := with(t, added, filters)
	before := func() error { return os.WriteFile("old", old, 0o666) }
	writer := func(name, path, from string) powercut.Writer {
		return powercut.Writer{
			Name: name, Before: before,
			Write: func() error { return parquet.AddFilters(path, from, filters) },
			Open: func() (isNew bool, err error) {
				file, err := os.ReadFile(path)
				switch {
				case path == "new" && errors.Is(err, os.ErrNotExist), bytes.Equal(file, old):
					return false, nil
				case err == nil && !bytes.Equal(file, added) && !bytes.Equal(file, again):
					err = errors.New("another file")
				}
				return true, err
			},
			Belongs: func(path string) bool { return slices.Contains([]string{"old", "new", "link"}, path) },
		}
	}
	link := writer("through a link", "link", "link")
	link.Before = func() error { return errors.Join(before(), os.Symlink("old", "link")) }
	powercut.Test(t, writer("in its place", "old", "old"), writer("another file", "new", "old"), link)
}
