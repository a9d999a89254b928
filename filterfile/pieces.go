package filterfile

import (
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// piece returns a piece of a filter's bytes.
func piece(body []byte, i int) []byte {
	return body[i*pieceBytes : min((i+1)*pieceBytes, len(body))]
}

func sumsOf(body []byte) []uint64 {
	sums := make([]uint64, numPieces(uint64(len(body))))
	for i := range sums {
		sums[i] = xxhash.Sum64(piece(body, i))
	}
	return sums
}

// pieces checks the pieces of a filter's bytes, each once. Any number of goroutines may use it.
type pieces struct {
	body   []byte
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

func newPieces(body []byte, sums []uint64) *pieces {
	p := &pieces{body: body, sums: sums, states: make([]atomic.Uint32, len(sums))}
	p.left.Store(int64(len(sums)))
	return p
}

// allRight reports whether all pieces were checked and are right.
func (p *pieces) allRight() bool { return p.left.Load() == 0 }

// err returns the error about the first piece that was found wrong, if any was.
func (p *pieces) err() error {
	if err := p.wrong.Load(); err != nil {
		return *err
	}
	return nil
}

// check reports whether a piece is right.
func (p *pieces) check(i int) bool {
	if state := p.states[i].Load(); state != unchecked {
		return state == right
	}
	return p.compare(i)
}

// compare is check of a piece for the first time. Goroutines that do it at once agree.
func (p *pieces) compare(i int) bool {
	if sum := xxhash.Sum64(piece(p.body, i)); sum != p.sums[i] {
		err := corrupt("piece %d of %d, bytes %d to %d of the filter: its checksum is wrong",
			i, len(p.sums), i*pieceBytes, min((i+1)*pieceBytes, len(p.body))-1)
		p.wrong.CompareAndSwap(nil, &err) // before anybody is told
		p.states[i].CompareAndSwap(unchecked, wrong)
	} else if p.states[i].CompareAndSwap(unchecked, right) {
		p.left.Add(-1)
	}
	return p.states[i].Load() == right
}

// checkAll checks all pieces, whatever was found before.
func (p *pieces) checkAll() error {
	for i := range p.sums {
		p.check(i)
	}
	return p.err()
}

// checkEnd checks what says how the rest is read: a filter's last bytes.
func (p *pieces) checkEnd() error {
	const end = 128 // longer than every format's trailer
	for i := max(len(p.body)-end, 0) / pieceBytes; i < len(p.sums); i++ {
		p.check(i)
	}
	return p.err()
}
