package replace

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
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
	for _, perm := range []os.FileMode{0o666, 0o640} { // what a umask would take
		if runtime.GOOS == "windows" {
			break // where a file that nobody may write is not replaced
		}
		if err := errors.Join(os.Chmod(path, perm), File(path, 0o600, write("two", nil))); err != nil {
			t.Fatal(err)
		}
		check("two", perm)
	}
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

// TestLeft: a writer removes the files that killed writers of the same file left, and no others: not those of writers
// that live.
func TestLeft(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	make := func(names ...string) {
		for _, name := range names {
			os.WriteFile(filepath.Join(folder, name), nil, 0o400)
			os.Chtimes(filepath.Join(folder, name), time.Time{}, time.Now().Add(-time.Hour))
		}
	}
	left := []string{".a.0.tmp", ".a.18446744073709551615.tmp", ".a.7.tmp"}
	others := []string{".a..tmp", ".a.-1.tmp", ".a.1", ".a.1.tmp.bak", ".a.b.1.tmp", ".a.x.tmp", ".b.1.tmp", "1.tmp", "a.1.tmp"}
	if renamesHeld || runtime.GOOS == "windows" {
		make(left...)
	}
	make(others...)
	os.Mkdir(filepath.Join(folder, ".a.2.tmp"), 0o700)
	err := File(path, 0o600, func(outer *os.File) error {
		for range 3 {
			err := File(path, 0o600, func(inner *os.File) error {
				_, err := os.Stat(outer.Name())
				return err
			})
			if err != nil {
				return err
			}
		}
		_, err := outer.WriteString("outer")
		return err
	})
	if text, failed := os.ReadFile(path); err != nil || failed != nil || string(text) != "outer" {
		t.Errorf("%q, %v, %v", text, err, failed)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	want := append(others, ".a.2.tmp", "a")
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// TestManyWriters: writers of one file at once all write it, and nothing is left.
func TestManyWriters(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	var writing sync.WaitGroup
	for range 8 {
		writing.Add(1)
		go func() {
			defer writing.Done()
			for range 50 {
				if err := File("a", 0o600, func(f *os.File) error { _, err := f.WriteString("whole"); return err }); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	writing.Wait()
	text, err := os.ReadFile("a")
	if entries, _ := os.ReadDir(folder); err != nil || string(text) != "whole" || len(entries) != 1 {
		t.Errorf("%q, %v, %v", text, err, entries)
	}
}

// TestSyncFolder: a folder that is not there cannot be stored.
func TestSyncFolder(t *testing.T) {
	folder := t.TempDir()
	if err := Sync(folder); err != nil {
		t.Error(err)
	}
	if err := Sync(filepath.Join(folder, "none")); runtime.GOOS != "windows" && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}
