package classic

import (
	"os"
	"time"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/mmap"
)

// Bits are a filter's bits, in memory or in a mapped file.
type Bits struct {
	words []byte
	far   bool   // most lines are in no fast cache
	pages *Pages // of a mapped file
	begin int    // the first byte's place in it
}

// BitsOf returns the bits that words in memory have.
func BitsOf(words []byte) Bits { return Bits{words: words, far: asm.AreFarBits(len(words))} }

const (
	timed = 8                     // the number of loads whose time is taken,
	slow  = 50 * time.Microsecond // that from which a part of them waited for a disk,
	asked = 64 * Group            // and the number of places whose pages are asked for then
)

// inChunks reports whether lines or pages are prefetched, for which places have to be known early.
func (b *Bits) inChunks() bool { return b.far || b.pages.areAsked() }

// areAsked reports whether the system is told which pages are about to be needed.
func (p *Pages) areAsked() bool { return p != nil && p.asks.Load() > 0 }

// Load loads the bytes that have the bits at the given places.
func (b *Bits) Load(loaded []byte, at []uint64) {
	if b.pages.areAsked() {
		b.pages.ask(b.begin, at)
		load(loaded, b.words, at)
		return
	}
	b.loadTimed(loaded, at, nil)
}

// loadTimed loads the bytes that have the bits at the given places. For a mapped file it measures the time, and if that
// is long, it asks for the pages of the other places, and of the next ones.
func (b *Bits) loadTimed(loaded []byte, at, next []uint64) {
	n := 0
	if b.pages != nil && !b.pages.areAsked() {
		n = min(timed, len(at))
		start := time.Now()
		load(loaded, b.words, at[:n])
		if time.Since(start) >= slow {
			b.pages.asks.Store(asked)
			b.pages.ask(b.begin, at[n:])
			b.pages.ask(b.begin, next)
		}
	}
	load(loaded[n:], b.words, at[n:])
}

// ahead prefetches the lines, or pages, with the bits at the given places.
func (b *Bits) ahead(at []uint64) {
	switch {
	case b.pages.areAsked():
		b.pages.ask(b.begin, at)
	case b.far:
		asm.PrefetchBits(b.words, at)
	}
}

// ask has the system read the pages with the bits at the given places. The first one is in the given byte of the
// file.
func (p *Pages) ask(begin int, at []uint64) {
	p.asks.Add(-int64(len(at)))
	page := os.Getpagesize()
	for _, bit := range at {
		p.ahead(begin+int(bit/8), 1, page)
	}
}

// Ones counts the bits that are set. The system reads a piece of a file while the one before is counted.
func (b *Bits) Ones() uint64 {
	const size = 4 << 20
	n := uint64(0)
	for at := 0; at < len(b.words); {
		piece := b.words[at:min(at+size, len(b.words))]
		b.WillRead(at, len(piece)+size)
		n += Ones(piece)
		at += len(piece)
	}
	return n
}

// WillRead has the system read a part of a file.
func (b *Bits) WillRead(at, size int) {
	if b.pages != nil {
		b.pages.ahead(b.begin+at, size, os.Getpagesize())
	}
}

// ahead has the system read pages of the given size, from that which has a byte on, for at least the given number
// of bytes.
func (p *Pages) ahead(at, size, page int) {
	part := p.mapped[at&^(page-1):]
	mmap.ReadAhead(part[:min(at&(page-1)+size, len(part))])
}
