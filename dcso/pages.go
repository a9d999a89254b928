package dcso

import (
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/simdbloom/simdbloom/internal/classic"
	"github.com/simdbloom/simdbloom/internal/mmap"
)

// pages are those of a mapped file. Where memory does not hold them, the system is told which ones are about
// to be needed, so that it reads many at once. Where it does, that would cost more than the lookups. Nobody knows which is the case, so
// the time is taken of a few loads.
type pages struct {
	mapped []byte
	asks   atomic.Int32 // the number of loads until the time is taken again
}

const (
	timed = 8                     // the number of loads whose time is taken,
	slow  = 50 * time.Microsecond // that from which a part of them waited for a disk,
	asked = 64                    // and the number of groups that the pages of are asked for then
)

// load loads the bytes that have the bits at the given places. The first one is in the given byte of the file.
func (p *pages) load(loaded []byte, begin int, at []uint64) {
	words := p.mapped[begin:]
	if p.asks.Load() <= 0 {
		n := min(timed, len(at))
		start := time.Now()
		classic.Load(loaded, words, at[:n])
		if time.Since(start) < slow {
			classic.Load(loaded[n:], words, at[n:])
			return
		}
		p.asks.Store(asked)
		loaded, at = loaded[n:], at[n:]
	}
	p.asks.Add(-1)
	page := os.Getpagesize()
	for _, bit := range at {
		from := (begin + int(bit/8)) &^ (page - 1)
		mmap.ReadAhead(p.mapped[from:min(from+page, len(p.mapped))])
	}
	classic.Load(loaded, words, at)
}

// ones counts the bits that are set. The system reads a piece of a file while the one before is counted.
func (f *Filter) ones() uint64 {
	const size = 4 << 20
	n := uint64(0)
	words := f.data[f.words:f.end]
	for at := f.words; len(words) > 0; {
		piece := words[:min(size, len(words))]
		f.pages.ahead(at, len(piece)+size)
		n += classic.Ones(piece)
		words, at = words[len(piece):], at+len(piece)
	}
	runtime.KeepAlive(f)
	return n
}

// ahead asks for pages of the file, from a byte on, if there is one.
func (p *pages) ahead(at, size int) {
	if p != nil {
		part := p.mapped[at&^(os.Getpagesize()-1):]
		mmap.ReadAhead(part[:min(size, len(part))])
	}
}
