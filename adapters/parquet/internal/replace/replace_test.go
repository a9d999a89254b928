package replace

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	write := func(text string, err error) func(*os.File) error {
		return func(f *os.File) error {
			f.WriteString(text)
			old, failed := os.Stat(path)
			if info, err := f.Stat(); failed == nil && (err != nil || info.Mode().Perm()&^old.Mode().Perm() != 0) {
				t.Errorf("%v while it is written, and the old file has %v", info.Mode(), old.Mode())
			}
			return err
		}
	}
	check := func(want string, perm os.FileMode) {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil || string(text) != want {
			t.Fatalf("%q, %v", text, err)
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != perm {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
			t.Errorf("%v, %v", files, err)
		}
	}
	if err := File(path, 0o600, write("one", nil)); err != nil {
		t.Fatal(err)
	}
	check("one", 0o600)
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := File(path, 0o666, write("two", nil)); err != nil {
		t.Fatal(err)
	}
	check("two", 0o640)
	broken := errors.New("broken")
	if err := File(path, 0o600, write("three", broken)); err != broken {
		t.Error(err)
	}
	check("two", 0o640)
	if err := File(filepath.Join(folder, "none", "a"), 0o600, write("", nil)); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := File(folder, 0o600, write("", nil)); err == nil {
		t.Error("a folder is replaced")
	}
	check("two", 0o640)
}
