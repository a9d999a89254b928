package fallback

import "math/bits"

// A linear filter (docs/linear.md) is a row of lines, each of which is a system of
// linear equations over bits. A line has slots of R bits, and a key of the line is an
// equation: its row says which slots, XORed, are its fingerprint.
//
// Eight slots make a plane, which has a byte for each of the R columns: bit i of column j
// is bit j of the plane's slot i. The bits that planes leave over hold whole slots, the
// tail. A line's last byte is its header: the threshold and the seed of its rows.
const (
	// linearSlots is the largest number of slots in a line.
	linearSlots = 72

	// The least and the largest number of bits in a fingerprint.
	LeastLinearBits = 7
	MostLinearBits  = 31

	// MaxLinearLayers is the largest number of layers in a filter.
	MaxLinearLayers = 16

	// linearEmpty is the threshold of a line that holds no key.
	linearEmpty = 63

	linearHeader = BlockBytes - 1 // the byte
	seedBits     = 2              // the header's low ones
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

// linearShapes has a shape for every number of bits, valid or not.
var linearShapes = func() (shapes [MostLinearBits + 1]linearShape) {
	for r := uint(LeastLinearBits); r <= MostLinearBits; r++ {
		s := &shapes[r]
		s.r, s.planes = r, min(8, linearHeader/r)
		s.tail = min(8, (8*linearHeader-8*s.planes*r)/r)
		s.planeMask, s.tailMask = 1<<(8*s.planes)-1, 1<<s.tail-1
		s.rowShift, s.wordShift = 32-4*s.planes, 64-r
		s.heads = max(64, s.slots()+r) - 64
		for slot := range s.tail {
			bit := 8*linearHeader - (slot+1)*r // counted down from the header
			at := min(bit/8, BlockBytes-8)
			s.slotAt[slot] = linearTailSlot{uint8(at), uint8(bit - 8*at)}
		}
	}
	return shapes
}()

// LinearSlotsOf returns the number of slots in a line of fingerprints of r bits, or 0 if
// the format has none of r bits: where one bit more costs no slots, it is left out.
func LinearSlotsOf(r int) int {
	if r < LeastLinearBits || r > MostLinearBits {
		return 0
	}
	slots := linearShapes[r].slots()
	if r < MostLinearBits && linearShapes[r+1].slots() >= slots {
		return 0
	}
	return int(slots)
}

// LinearLine returns the number of planes in a line of fingerprints of r bits, and the
// number of slots in its tail.
func LinearLine(r int) (planes, tail int) {
	s := &linearShapes[r&MostLinearBits]
	return int(s.planes), int(s.tail)
}

func (s *linearShape) slots() uint { return 8*s.planes + s.tail }

// The constants of the hash that a linear filter makes of a key's.
const (
	linearHigh = 0x9e3779b1
	linearLow  = 0x85ebca77
	linearNext = 0xd6e8feb86659fd93
)

// linearSeeds are the multipliers that rows come from.
var linearSeeds = [1 << seedBits]uint64{0xed5ad4bb, 0xac4c1b51, 0xf1357ae9, 0xc2b2ae3d}

// LinearSeed returns the multiplier that rows come from in lines with a seed.
func LinearSeed(seed int) uint64 { return linearSeeds[seed&(len(linearSeeds)-1)] }

// LinearPlace returns a hash's line in a layer, and its place in that line's order: a
// line holds the keys whose place is not below its threshold.
func LinearPlace(hash uint64, lines uint32) (line uint32, order uint64) {
	product := uint64(uint32(hash)) * uint64(lines)
	return uint32(product >> 32), min(product>>26&63, linearEmpty-1)
}

// LinearPlacesBelow returns how many of 64 equally likely places in a line's order are below the
// threshold in its header, the line's last byte. The line does not hold keys with lower places.
func LinearPlacesBelow(header byte) uint64 {
	threshold := header >> seedBits
	if threshold == linearEmpty { // the last place stands for two
		threshold++
	}
	return uint64(threshold)
}

// LinearNext returns the hash that a key has in the next layer.
func LinearNext(hash uint64) uint64 { return bits.RotateLeft64(hash*linearNext, 32) }

// linearWord returns the bits of a hash whose top ones are the fingerprint, and whose
// low bytes are the tail's rows, one for each seed.
func linearWord(hash uint64) uint64 {
	return hash>>32*linearHigh ^ uint64(uint32(hash))*linearLow<<32
}

// row returns which of the planes' slots are in a key's row. Bits above are anything.
func (s *linearShape) row(hash uint64, seed int) uint64 {
	return hash >> 32 * LinearSeed(seed) >> (s.rowShift & 63)
}

// tailRow returns which of the tail's slots are. word is the hash's. Bits above are
// anything.
func tailRow(word uint64, seed int) uint64 { return word >> (8 * seed & 63) }

// fingerprint returns a key's fingerprint. word is the hash's.
func (s *linearShape) fingerprint(word uint64) uint64 { return word >> (s.wordShift & 63) }
