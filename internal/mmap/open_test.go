package mmap

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
)

func TestOpenRegular(t *testing.T) {
	if _, err := OpenRegular(t.TempDir()); err == nil {
		t.Error("a folder was opened")
	}
	if _, err := OpenRegular(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
