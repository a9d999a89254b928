package answers

import (
	"bytes"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
)

// Reader answers whether hashes may be in a filter. It aliases the filter's
// bytes and is immutable.
type Reader struct {
	// One of these is the filter. With one answer for all hashes either is a body
	// that gives it.
	FastLocal asm.FastLocal
	_         [16]byte // Paired begins with a line, if the Reader does
	Paired    asm.Paired

	mode        mode
	probes      int
	batchBlocks int // of a paired filter
	body        []byte
}

type mode uint8

const (
	alwaysTrue mode = iota
	alwaysFalse
	fastLocal
	paired
)

// Bodies that answer no and yes to every hash, which are a batch of paired blocks,
// too.
const leastBatch = 32

var (
	noBits  [leastBatch * asm.BlockBytes]byte
	allBits = bytes.Repeat([]byte{0xff}, len(noBits))
)

// Always returns a Reader with one answer for every hash.
func Always(answer bool) Reader {
	r, body := Reader{mode: alwaysFalse}, noBits[:]
	if answer {
		r, body = Reader{mode: alwaysTrue}, allBits
	}
	r.FastLocal, r.Paired = asm.NewFastLocal(body[:asm.BlockBytes], 1), asm.NewPaired(body, leastBatch, 2)
	return r
}

// FastLocal returns a Reader of a FastLocal filter's body, which is whole blocks.
func FastLocal(body []byte, probes int) Reader {
	return Reader{mode: fastLocal, FastLocal: asm.NewFastLocal(body, probes), probes: probes, body: body}
}

// Paired returns a Reader of a paired filter's body, which is whole batches. Half
// of the probes, rounded down, go to each of two blocks: with one probe in all,
// none do, and every hash matches.
func Paired(body []byte, batchBlocks, probes int) Reader {
	r := Always(true)
	if probes >= 2 {
		r = Reader{mode: paired, Paired: asm.NewPaired(body, batchBlocks, probes)}
	}
	r.probes, r.batchBlocks, r.body = probes, batchBlocks, body
	return r
}

// Body returns the filter's blocks: none if it was made by Always.
func (r *Reader) Body() []byte { return r.body }

// Probes returns the number of probes that the filter records: 0 without a body.
func (r *Reader) Probes() int { return r.probes }

// BatchBlocks returns the number of blocks in a batch: 0 if there are none.
func (r *Reader) BatchBlocks() int { return r.batchBlocks }

// FixedRate returns the share of absent hashes that a Reader without a body, which
// gives them all the same answer, says yes to: 0 or 1.
func (r *Reader) FixedRate() float64 {
	if r.mode == alwaysTrue {
		return 1
	}
	return 0
}

// CopyAligned returns the same Reader over an aligned copy of its body.
func (r *Reader) CopyAligned() Reader {
	moved := *r
	moved.body = aligned.Make(len(r.body))
	copy(moved.body, r.body)
	switch r.mode {
	case fastLocal:
		moved.FastLocal = asm.NewFastLocal(moved.body, r.probes)
	case paired:
		moved.Paired = asm.NewPaired(moved.body, r.batchBlocks, r.probes)
	}
	return moved
}

// Bits sets bit i%64 of hits[i/64] to the answer for hashes[i], the rest of the
// last word to zero, and no later word. It panics if hits is too short.
func (r *Reader) Bits(hashes, hits []uint64) {
	if r.mode == paired {
		r.Paired.ContainsBatch(hits, hashes)
		return
	}
	r.FastLocal.ContainsBatch(hits, hashes)
}

// Bools sets hits[i] to the answer for hashes[i]. It panics if hits is too short.
func (r *Reader) Bools(hashes []uint64, hits []bool) {
	if r.mode == paired {
		r.Paired.ContainsBools(hits, hashes)
		return
	}
	r.FastLocal.ContainsBools(hits, hashes)
}
