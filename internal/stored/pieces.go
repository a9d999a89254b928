package stored

import (
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// piece returns a piece, of the given size, of a filter's bytes.
func piece(body []byte, size, i int) []byte {
	return body[i*size : min((i+1)*size, len(body))]
}

// Pieces checks the pieces of a filter's bytes, each once. Any number of goroutines may use it.
type Pieces struct {
	body   []byte
	size   int // of a piece
	sums   []uint64
	states []atomic.Uint32
	left   atomic.Int64 // pieces that were not found right
	wrong  atomic.Pointer[error]
}

// States of a piece.
const (
	unchecked = iota
	right
	wrong
)

// Pieces returns the checker of the file's filter. Nothing is checked yet.
func (f *File) Pieces() *Pieces {
	p := &Pieces{body: f.Body, size: f.PieceBytes, sums: f.sums, states: make([]atomic.Uint32, len(f.sums))}
	p.left.Store(int64(len(f.sums)))
	return p
}

// Trust counts all pieces as right: they are copies of ones that were checked.
func (p *Pieces) Trust() { p.left.Store(0) }

// AllRight reports whether all pieces were checked and are right.
func (p *Pieces) AllRight() bool { return p.left.Load() == 0 }

// Err returns the error about the first piece that was found wrong, if any was.
func (p *Pieces) Err() error {
	if err := p.wrong.Load(); err != nil {
		return *err
	}
	return nil
}

// Check reports whether a piece is right.
func (p *Pieces) Check(i int) bool {
	if state := p.states[i].Load(); state != unchecked {
		return state == right
	}
	return p.compare(i)
}

// compare is Check of a piece for the first time. Goroutines that do it at once agree.
func (p *Pieces) compare(i int) bool {
	if xxhash.Sum64(piece(p.body, p.size, i)) != p.sums[i] {
		err := corrupt("piece %d of %d, bytes %d to %d of the filter: its checksum is wrong",
			i, len(p.sums), i*p.size, min((i+1)*p.size, len(p.body))-1)
		p.wrong.CompareAndSwap(nil, &err) // before anybody is told
		p.states[i].CompareAndSwap(unchecked, wrong)
	} else if p.states[i].CompareAndSwap(unchecked, right) {
		p.left.Add(-1)
	}
	return p.states[i].Load() == right
}

// CheckAll checks all pieces, whatever was found before.
func (p *Pieces) CheckAll() error {
	for i := range p.sums {
		p.Check(i)
	}
	return p.Err()
}

// CheckEnd checks a filter's last bytes, which decide how the rest is read.
func (p *Pieces) CheckEnd() error {
	const end = 256 // longer than every format's trailer: Linear's is the longest, of 136 bytes
	for i := max(len(p.body)-end, 0) / p.size; i < len(p.sums); i++ {
		p.Check(i)
	}
	return p.Err()
}
