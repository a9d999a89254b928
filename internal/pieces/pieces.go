// Package pieces checks the bytes of a filter file, a piece at a time, when they are needed.
package pieces

import (
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// piece returns a piece, of the given size, of a filter's bytes. The last one may be smaller.
func piece(body []byte, size, i int) []byte { return body[i*size : min((i+1)*size, len(body))] }

// Pieces checks the pieces of a filter's bytes, each once. Any number of goroutines may use it. Callers keep mapped
// bytes reachable.
type Pieces struct {
	body   []byte
	size   int // of a piece
	sums   []uint64
	states []atomic.Uint32
	left   atomic.Int64 // pieces that were not found right
	wrong  atomic.Int64 // the first that was found wrong, counted from 1, or 0
	ahead  func(part []byte)
}

// States of a piece.
const (
	unchecked = iota
	right
	wrong
)

// New returns the checker of a filter's bytes, in pieces of the given size, of which nothing is checked yet.
func New(body []byte, size int, sums []uint64) *Pieces {
	p := &Pieces{body: body, size: size, sums: sums, states: make([]atomic.Uint32, len(sums))}
	p.left.Store(int64(len(sums)))
	return p
}

// ReadBy has a function called with each piece before it is read, which has the system read it by one request.
func (p *Pieces) ReadBy(ahead func(part []byte)) { p.ahead = ahead }

// AllRight reports whether all pieces were checked and are right.
func (p *Pieces) AllRight() bool { return p.left.Load() == 0 }

// FirstWrong returns the piece that was found wrong first, if any was.
func (p *Pieces) FirstWrong() (i int, found bool) {
	at := p.wrong.Load()
	return int(at) - 1, at > 0
}

// Size returns the size of a piece.
func (p *Pieces) Size() int { return p.size }

// Check reports whether a piece is right.
func (p *Pieces) Check(i int) bool {
	if state := p.states[i].Load(); state != unchecked {
		return state == right
	}
	return p.compare(i)
}

// compare is Check of a piece for the first time. Goroutines that do it at once agree.
func (p *Pieces) compare(i int) bool {
	own := piece(p.body, p.size, i)
	if p.ahead != nil {
		p.ahead(own)
	}
	if xxhash.Sum64(own) != p.sums[i] {
		p.wrong.CompareAndSwap(0, int64(i)+1) // before anybody is told
		p.states[i].CompareAndSwap(unchecked, wrong)
	} else if p.states[i].CompareAndSwap(unchecked, right) {
		p.left.Add(-1)
	}
	return p.states[i].Load() == right
}

// CheckAll checks all pieces, and reports whether they are right.
func (p *Pieces) CheckAll() bool { return p.CheckFrom(0) }

// CheckFrom is CheckAll of the pieces from the one on that has a byte.
func (p *Pieces) CheckFrom(at int) bool {
	for i := at / p.size; i < len(p.sums); i++ {
		p.Check(i)
	}
	_, found := p.FirstWrong()
	return !found
}
