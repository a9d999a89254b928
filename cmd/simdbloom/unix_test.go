//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
)

// TestAddToAPipe: a manifest that is a pipe is not waited for.
func TestAddToAPipe(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "set"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "set", filterset.Manifest), 0o600); err != nil {
		t.Skip(err)
	}
	status, _, stderr := call(t, folder, "x\n", "build -add -bits=10 -o {}/set")
	if status != badArguments || !strings.Contains(stderr, "is not the manifest of a set") {
		t.Errorf("%d, %s", status, stderr)
	}
}
