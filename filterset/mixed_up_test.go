package filterset_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

// TestFilesAndSetsAreNotMixedUp: Open of a file names filterfile's, and filterfile's Open of a set names this one.
func TestFilesAndSetsAreNotMixedUp(t *testing.T) {
	dir := t.TempDir()
	set, file, text := filepath.Join(dir, "set"), filepath.Join(dir, "file"), filepath.Join(dir, "text")
	buildSet(t, set, policy.Linear(10), []uint64{1, 2, 3})
	b := policy.Linear(10).NewBuilder()
	b.AddString("apple")
	if err := errors.Join(filterfile.WriteFile(file, must(b.Filter())), os.WriteFile(text, []byte("apple\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, text} {
		if _, err := filterset.Open(name); !about(err, name) || !strings.Contains(err.Error(), "filterfile.Open") {
			t.Error(err)
		}
	}
	if _, err := filterfile.Open(set); !about(err, set) || !strings.Contains(err.Error(), "filterset.Open") {
		t.Error(err)
	}
	for _, open := range []func(string) error{
		func(name string) error { _, err := filterset.Open(name); return err },
		func(name string) error { _, err := filterfile.Open(name); return err },
	} {
		if err := open(dir); err == nil || strings.Contains(err.Error(), ".Open") {
			t.Errorf("a folder without a set: %v", err)
		}
		if err := open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("no file: %v", err)
		}
	}
}

// about reports whether an error has the name that was opened.
func about(err error, name string) bool {
	var failed *fs.PathError
	return errors.As(err, &failed) && failed.Path == name
}
