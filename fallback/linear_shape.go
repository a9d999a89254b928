package fallback

import "github.com/simdbloom/simdbloom/internal/tables"

// A line of a linear filter (docs/linear.md) is a system of linear equations over bits. It
// has slots of R bits, and a key of the line is an equation: its row selects the slots that,
// XORed, are its fingerprint.
//
// Eight slots make a plane, which has a byte for each of the R columns: bit i of column j
// is bit j of the plane's slot i. The bits that planes leave over hold whole slots, the
// tail. A line's header, a byte behind all lines, has its threshold and the seed of its rows.
const (
	// linearSlots is the largest number of slots in a line.
	linearSlots = 72

	// The least and the largest number of bits in a fingerprint.
	LeastLinearBits = 7
	MostLinearBits  = 32

	// MaxLinearLayers is the largest number of layers in a filter.
	MaxLinearLayers = 16

	// linearEmpty is the threshold of a line that holds no key.
	linearEmpty = 63

	seedBits = 2 // the header's low ones
)

// linearShape is how a line of fingerprints of r bits is laid out, and how a hash is used.
type linearShape struct {
	r, planes, tail     uint
	planeMask, tailMask uint64 // one bit for each of the slots
	rowShift, wordShift uint   // of the planes' slots in a product, of the fingerprint in a word
	heads               uint   // how many bits slots and a fingerprint have beyond 64
	slotAt              [8]linearTailSlot
}

// linearTailSlot is where a slot of the tail is: it begins with a bit of the eight bytes
// from the given one.
type linearTailSlot struct{ at, bit uint8 }

// linearShapes has a shape for every number of bits up to the most, valid or not.
var linearShapes tables.Table[[64]linearShape]

func fillLinearShapes(shapes *[64]linearShape) {
	for r := uint(LeastLinearBits); r <= MostLinearBits; r++ {
		s := &shapes[r]
		s.r, s.planes = r, min(8, BlockBytes/r)
		s.tail = min(8, (blockBits-8*s.planes*r)/r)
		s.planeMask, s.tailMask = 1<<(8*s.planes)-1, 1<<s.tail-1
		s.rowShift, s.wordShift = 32-4*s.planes, 64-r
		s.heads = max(64, s.slots()+r) - 64
		for slot := range s.tail {
			bit := blockBits - (slot+1)*r // counted down from the end
			at := min(bit/8, BlockBytes-8)
			s.slotAt[slot] = linearTailSlot{uint8(at), uint8(bit - 8*at)}
		}
	}
}

// LinearSlotsOf returns the number of slots in a line of fingerprints of r bits, or 0 if
// the format has none of r bits: where one bit more costs no slots, it is left out.
func LinearSlotsOf(r int) int {
	if r < LeastLinearBits || r > MostLinearBits {
		return 0
	}
	slots := linearShapeOf(r).slots()
	if r < MostLinearBits && linearShapeOf(r+1).slots() >= slots {
		return 0
	}
	return int(slots)
}

// LinearLonger returns the number of bits in the next longer fingerprint that the format has,
// or the same for the longest.
func LinearLonger(r int) int {
	for longer := r + 1; longer <= MostLinearBits; longer++ {
		if LinearSlotsOf(longer) > 0 {
			return longer
		}
	}
	return r
}

// LinearShorter returns the number of bits in the next shorter fingerprint that the format
// has, or 0 for the shortest.
func LinearShorter(r int) int {
	for shorter := r - 1; shorter >= LeastLinearBits; shorter-- {
		if LinearSlotsOf(shorter) > 0 {
			return shorter
		}
	}
	return 0
}

// LinearLine returns the number of planes in a line of fingerprints of r bits, and the
// number of slots in its tail.
func LinearLine(r int) (planes, tail int) {
	s := linearShapeOf(r)
	return int(s.planes), int(s.tail)
}

func linearShapeOf(r int) *linearShape {
	shapes := linearShapes.Of(fillLinearShapes)
	return &shapes[r%len(shapes)]
}

func (s *linearShape) slots() uint { return 8*s.planes + s.tail }
