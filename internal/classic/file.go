package classic

import (
	"errors"
	"math"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/internal/mmap"
)

// Pages are those of a mapped file. Where memory does not hold them, the system is told which ones are about to be
// needed, so that it reads many at once. Where it does, that would cost more than the lookups. Nobody knows which
// is the case, so the time is taken of a few loads.
type Pages struct {
	mapped []byte
	asks   atomic.Int64 // the number of places until the time is taken again
}

// OpenFile opens a file, and returns its size. A directory, a device or a pipe is an error.
func OpenFile(path string) (file *os.File, size int64, err error) {
	info, err := os.Stat(path) // before opening: a named pipe would wait for a writer
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, 0, err
	}
	file, err = os.Open(path)
	return file, info.Size(), err
}

// Map maps a file, which may be closed then. It returns nil if that is impossible.
func Map(file *os.File, size int64) *Pages {
	if size <= 0 || size > math.MaxInt {
		return nil
	}
	mapped, err := mmap.Map(file, int(size))
	if err != nil {
		return nil
	}
	mmap.Random(mapped)
	return &Pages{mapped: mapped}
}

// Bytes returns the file's bytes.
func (p *Pages) Bytes() []byte { return p.mapped }

// Bits returns the bits in a part of the file.
func (p *Pages) Bits(begin, end int) Bits {
	b := BitsOf(p.mapped[begin:end])
	b.pages, b.begin = p, begin
	return b
}

// Unmap ends the mapping, which nobody uses.
func (p *Pages) Unmap() { mmap.Unmap(p.mapped) }

// Release has the garbage collector end the mapping, when nothing refers to p any more.
func (p *Pages) Release() { runtime.AddCleanup(p, mmap.Unmap, p.mapped) }
