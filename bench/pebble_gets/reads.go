package main

import (
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// countingFS counts the reads of tables, which are of a block each: of all blocks, and of
// those with data, with which a table begins.
type countingFS struct {
	vfs.FS
	dataBytes atomic.Pointer[map[string]uint64] // of tables, by name; nil before they are known
	reads     blockReads
}

type blockReads struct{ all, data atomic.Int64 }

func (fs *countingFS) Open(name string, options ...vfs.OpenOption) (vfs.File, error) {
	file, err := fs.FS.Open(name, options...)
	if err != nil || !strings.HasSuffix(name, ".sst") {
		return file, err
	}
	return &countingFile{file, filepath.Base(name), fs}, nil
}

type countingFile struct {
	vfs.File
	name string
	fs   *countingFS
}

func (f *countingFile) ReadAt(p []byte, at int64) (int, error) {
	f.fs.reads.all.Add(1)
	if dataBytes := f.fs.dataBytes.Load(); dataBytes != nil && uint64(at) < (*dataBytes)[f.name] {
		f.fs.reads.data.Add(1)
	}
	return f.File.ReadAt(p, at)
}
