package formats

import (
	"sync"

	"github.com/simdbloom/simdbloom/asm"
)

// EstimatedFPR returns the false-positive rate of an open filter, computed from its bytes: 0 for an empty filter, 1 for
// one that may contain everything.
func EstimatedFPR(kernel *asm.Kernel) (rate float64) {
	shape := kernel.Shape()
	switch estimate := &estimates[shape.Format]; {
	case shape.Format == asm.Empty:
		return 0
	case estimate.blocks != nil:
		EachPiece(kernel, func(piece []byte) {
			rate += estimate.blocks(piece, shape.Probes) * float64(len(piece)) / float64(len(kernel.Body()))
		})
		return rate
	case estimate.whole != nil:
		return estimate.whole(kernel)
	}
	return 1
}

// EstimatedOfBlocks returns the false-positive rate of some blocks of a format whose filters accept keys.
func EstimatedOfBlocks(format asm.Format, blocks []byte, probes int) float64 {
	return estimates[format].blocks(blocks, probes)
}

// PieceBytes is the size of the pieces of a body that are looked at, one after the other.
const PieceBytes = 4096

// EachPiece calls do with the pieces of a filter's body, or with copies if other goroutines may add to it meanwhile.
func EachPiece(kernel *asm.Kernel, do func(piece []byte)) {
	copied := copies.Get().(*[PieceBytes]byte)
	defer copies.Put(copied)
	size := len(kernel.Body())
	for from := 0; from < size; from += PieceBytes {
		do(kernel.Read(copied[:min(PieceBytes, size-from)], from))
	}
}

var copies = sync.Pool{New: func() any { return new([PieceBytes]byte) }}
