//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package replace

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestHold: a new file that was removed, or whose name another one has, is nobody's to write.
func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	create := func() *os.File {
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		return file
	}
	first := create()
	if !hold(first) {
		t.Error("a new file is not held")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if hold(first) {
		t.Error("a file is held that was removed")
	}
	if second := create(); hold(first) || !hold(second) {
		t.Error("a file is held whose name another one has")
	}
}

// TestNothingStaysOpen, whether the file is written or not. What the system cannot store at all is no error.
func TestNothingStaysOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this needs /proc")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	path := filepath.Join(t.TempDir(), "a")
	before := open()
	for _, want := range []error{nil, os.ErrInvalid} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), ".a.7.tmp"), nil, 0o600); err != nil { // left by another writer
			t.Fatal(err)
		}
		if err := File(path, 0o600, func(*os.File) error { return want }); err != want {
			t.Error(err)
		}
	}
	if after := open(); after != before {
		t.Errorf("%d files are open, and %d before", after, before)
	}
	if err := Sync("/proc/self/status"); err != nil {
		t.Error(err)
	}
}
