package consumer

import (
	"path/filepath"
	"testing"
)

// TestCopies: what a module has a copy of, since it imports no internal package of another one, is the same in both.
func TestCopies(t *testing.T) {
	const original, copied = "internal/replace", "adapters/parquet/internal/replace"
	files, err := filepath.Glob(filepath.Join(clone(t), original, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		if other := filepath.Join(clone(t), copied, filepath.Base(name)); read(t, name) != read(t, other) {
			t.Errorf("%s and %s differ", name, other)
		}
	}
}
