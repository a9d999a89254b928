package parquet

import (
	"io"
	"os"
)

// Option is a setting of [Open], [OpenBytes] and [New]. If one is given twice, the last one counts. A nil one changes
// nothing.
type Option func(*File)

// The cost of a read without WithReadCost: about 5 microseconds of a local file, and 10 milliseconds of
// object storage.
const (
	fileReadCost  = 16 << 10
	otherReadCost = 1 << 20
)

// WithReadCost sets the cost of a read, as a number of further bytes. It is 16 KiB if r is an [*os.File],
// and otherwise 1 MiB, which suits object storage. Less than 0 counts as 0. Three things depend on it:
//
//   - Ranges of the file with at most that number of bytes between them are read in one read.
//   - For few values, [Prune] reads only the filters' headers, and the block of 32 bytes that each value has in each
//     filter: as long as all such reads for a column cost less than whole filters would have. It keeps the headers.
//     It needs the filters' lengths in the metadata, which old writers omit.
//   - Otherwise it reads whole filters, and keeps them. But up to 16 KiB, the first Prune of a column keeps
//     none: memory for all would take longer than reading them from the system's cache once more.
func WithReadCost(bytes int) Option {
	return func(f *File) { f.source.readCost = int64(max(bytes, 0)) }
}

// sourceOf returns the source that reads r, up to end.
func sourceOf(r io.ReaderAt, end int64) source {
	s := source{reader: r, end: end, readCost: otherReadCost}
	if _, local := r.(*os.File); local {
		s.readCost = fileReadCost
	}
	return s
}
