package classic

import (
	"math"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/internal/mmap"
)

// Pages are a mapped file's pages. Where memory does not hold them, the system is told which ones are about to be
// needed, so that it reads many at once. Where it does, that would cost more than the lookups. Nobody knows which
// is the case, so the time is taken of a few loads.
type Pages struct {
	mapped   []byte
	released atomic.Bool
	asks     atomic.Int64 // the number of places until the time is taken again
}

// Map maps a file, which may be closed then. It returns nil if that is impossible.
func Map(file *os.File) *Pages {
	info, err := file.Stat()
	if err != nil || info.Size() <= 0 || info.Size() > math.MaxInt {
		return nil
	}
	mapped, err := mmap.Map(file, int(info.Size()))
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

// Release has the garbage collector end the mapping, once, when nothing refers to p any more.
func (p *Pages) Release() {
	if !p.released.Swap(true) {
		runtime.AddCleanup(p, mmap.Unmap, p.mapped)
	}
}
