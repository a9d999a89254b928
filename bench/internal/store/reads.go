package store

import (
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// CountingFS counts the reads of tables, which are of a block each: of all blocks, of those with
// data, and of filters. (It knows these by their size. A block of an index with the same number of bytes
// counts as one, too.) Compactions read blocks, too, but no filters. Any number of goroutines may use it.
type CountingFS struct {
	vfs.FS
	Latency time.Duration // that each read waits, at least: the latency of a slow disk

	blocks            atomic.Pointer[map[string]blocks] // of tables, by name; nil before they are known
	all, data, filter atomic.Int64
}

// Reads are numbers of blocks that were read from tables. Data and filter blocks are those of
// tables that were there at the last Know.
type Reads struct {
	All    int64 `json:"block_reads"`
	Data   int64 `json:"data_block_reads"`
	Filter int64 `json:"filter_block_reads,omitempty"`
}

// Sub returns the reads since earlier.
func (r Reads) Sub(earlier Reads) Reads {
	return Reads{r.All - earlier.All, r.Data - earlier.Data, r.Filter - earlier.Filter}
}

// Add returns the sums.
func (r Reads) Add(more Reads) Reads {
	return Reads{r.All + more.All, r.Data + more.Data, r.Filter + more.Filter}
}

// Reads returns the reads so far.
func (fs *CountingFS) Reads() Reads { return Reads{fs.all.Load(), fs.data.Load(), fs.filter.Load()} }

// Know tells the data and filter blocks of a store's tables from the others from now on.
func (fs *CountingFS) Know(d *Description) { fs.blocks.Store(&d.blocks) }

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
	if known := f.fs.blocks.Load(); known != nil {
		switch table := (*known)[f.name]; {
		case uint64(at) < table.data:
			f.fs.data.Add(1)
		case table.filter > 0 && uint64(len(p)) == table.filter+block.TrailerLen:
			f.fs.filter.Add(1)
		}
	}
	if f.fs.Latency > 0 {
		begun := timing.Now()
		for left := f.fs.Latency; left > 0; left = f.fs.Latency - timing.Since(begun) { // Windows may wake too early
			time.Sleep(left)
		}
	}
	return f.File.ReadAt(p, at)
}
