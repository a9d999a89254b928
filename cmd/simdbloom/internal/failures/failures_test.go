package failures_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
)

// TestWithoutName: errors of files lose the name, also wrapped ones, and others stay.
func TestWithoutName(t *testing.T) {
	_, err := os.Open(filepath.Join(t.TempDir(), "missing"))
	var path *fs.PathError
	if !errors.As(err, &path) {
		t.Fatal(err)
	}
	other := errors.New("other")
	for _, c := range []struct{ err, want error }{
		{err, path.Err}, {fmt.Errorf("wrapped: %w", err), path.Err}, {other, other}, {fmt.Errorf("wrapped: %w", fs.ErrNotExist), nil}, {nil, nil},
	} {
		if got := failures.WithoutName(c.err); c.want == nil && got != c.err || c.want != nil && got != c.want {
			t.Errorf("%v became %v, want %v", c.err, got, c.want)
		}
	}
}

// TestOpenRegular opens files, and nothing else.
func TestOpenRegular(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "file")
	if file, err := failures.OpenRegular(name); file != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Error(file, err)
	}
	if file, size, err := failures.OpenSized(name); file != nil || size != 0 || !errors.Is(err, fs.ErrNotExist) {
		t.Error(file, size, err)
	}
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if file, size, err := failures.OpenSized(name); err != nil || size != 0 || file.Close() != nil {
		t.Error(size, err)
	}
	file, err := failures.OpenRegular(name)
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	if file, err := failures.OpenRegular(folder); file != nil || err == nil || err.Error() != "open "+folder+": not a regular file" {
		t.Error(file, err)
	}
}
