//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

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

// TestPipes: a command that reads a file in any order refuses a named pipe, and does not wait for a writer. None is
// replaced.
func TestPipes(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "list"), []byte("key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"check {}/pipe {}/list", "info {}/pipe", "info -json -estimate {}/pipe", "verify {}/pipe", "verify -json {}/pipe", "sst {}/pipe",
		"build -quiet -bits=10 -parquet=id -o {}/set {}/pipe", "parquet {}/pipe",
		"parquet -column=id -value=1 {}/pipe", "parquet add -column=id -o {}/new {}/pipe",
		"build -bits=10 -o {}/pipe {}/list", "build -bits=10 -file -o {}/pipe {}/list", "build -bits=10 -file -force -o {}/pipe {}/list",
	} {
		status := make(chan int)
		var stderr string
		go func() {
			code, _, says := call(t, folder, "", args)
			stderr = says
			status <- code
		}()
		select {
		case code := <-status:
			said := "not a regular file"
			if strings.HasSuffix(args, " -o {}/pipe {}/list") {
				said = map[bool]string{true: "neither a file nor a folder", false: "is a file: a set is a folder"}[strings.Contains(args, "-file")]
			}
			if info, err := os.Lstat(filepath.Join(folder, "pipe")); code == 0 || !strings.Contains(stderr, said) || err != nil || info.Mode().Type() != os.ModeNamedPipe {
				t.Errorf("%s: %d, %s", args, code, stderr)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s waits", args)
		}
	}
}
