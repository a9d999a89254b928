//go:build unix

package sst

import (
	"bytes"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNamedPipe: opening one waits until somebody writes to it, which may be never.
func TestNamedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err) // a file system without named pipes
	}
	var stdout, stderr bytes.Buffer
	if status := run([]string{pipe}, nil, &stdout, &stderr); status != 3 || !strings.Contains(stderr.String(), "pipe: not a regular file") {
		t.Errorf("status %d, %s", status, &stderr)
	}
}
