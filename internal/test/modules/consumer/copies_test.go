package consumer

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCopies: what a module has a copy of, since it imports no internal package of another one, is the same in both.
// The tests are in one place.
func TestCopies(t *testing.T) {
	for _, folder := range []string{"internal/replace", "internal/thrift"} {
		files, err := filepath.Glob(filepath.Join(clone(t), folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		for _, name := range files {
			other := filepath.Join(clone(t), "adapters/parquet", folder, filepath.Base(name))
			if !strings.HasSuffix(name, "_test.go") && read(t, name) != read(t, other) {
				t.Errorf("%s and %s differ", name, other)
			}
		}
	}
}
