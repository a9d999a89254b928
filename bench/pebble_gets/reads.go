package main

import (
	"strings"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// countingFS counts the reads of tables that are open for reading.
type countingFS struct {
	vfs.FS
	reads atomic.Int64
}

func (fs *countingFS) Open(name string, options ...vfs.OpenOption) (vfs.File, error) {
	file, err := fs.FS.Open(name, options...)
	if err != nil || !strings.HasSuffix(name, ".sst") {
		return file, err
	}
	return &countingFile{file, &fs.reads}, nil
}

type countingFile struct {
	vfs.File
	reads *atomic.Int64
}

func (f *countingFile) ReadAt(p []byte, at int64) (int, error) {
	f.reads.Add(1)
	return f.File.ReadAt(p, at)
}
