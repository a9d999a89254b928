package store

import (
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// CountingFS counts the reads of tables, which are of a block each: of all blocks, and of
// those with data, with which a table begins. Compactions read blocks, too. Any number of
// goroutines may use it.
type CountingFS struct {
	vfs.FS
	Latency time.Duration // that each read waits, at least: the latency of a slow disk

	dataBytes atomic.Pointer[map[string]uint64] // of tables, by name; nil before they are known
	all, data atomic.Int64
}

// Reads are numbers of blocks that were read from tables.
type Reads struct {
	All  int64 `json:"block_reads"`
	Data int64 `json:"data_block_reads"` // of tables that were there at the last Know
}

// Sub returns what was read since earlier.
func (r Reads) Sub(earlier Reads) Reads { return Reads{r.All - earlier.All, r.Data - earlier.Data} }

// Add returns the sums.
func (r Reads) Add(more Reads) Reads { return Reads{r.All + more.All, r.Data + more.Data} }

// Reads returns what was read so far.
func (fs *CountingFS) Reads() Reads { return Reads{fs.all.Load(), fs.data.Load()} }

// Know tells the data blocks of a store's tables from the others from now on.
func (fs *CountingFS) Know(d *Description) { fs.dataBytes.Store(&d.dataBytes) }

// Open is the file system's, and counts.
func (fs *CountingFS) Open(name string, options ...vfs.OpenOption) (vfs.File, error) {
	file, err := fs.FS.Open(name, options...)
	if err != nil || !strings.HasSuffix(name, ".sst") {
		return file, err
	}
	return &countingFile{file, filepath.Base(name), fs}, nil
}

type countingFile struct {
	vfs.File
	name string
	fs   *CountingFS
}

func (f *countingFile) ReadAt(p []byte, at int64) (int, error) {
	f.fs.all.Add(1)
	if dataBytes := f.fs.dataBytes.Load(); dataBytes != nil && uint64(at) < (*dataBytes)[f.name] {
		f.fs.data.Add(1)
	}
	if f.fs.Latency > 0 {
		time.Sleep(f.fs.Latency)
	}
	return f.File.ReadAt(p, at)
}
