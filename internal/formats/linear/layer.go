package linear

import (
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/fallback"
)

// Loads are counted in 1/64 keys per slot.
const (
	loadUnit    = 64
	loadFrom    = 16
	mostLaidOut = 88 // when a layer's size is chosen: the keys may be unlucky
)

const (
	cuts = 64 // in how many parts the hashes are cut

	// spare is by how many the slots of a line exceed the keys that it very likely holds, all of
	// them.
	spare = 3

	// A layer of up to this number of keys for each slot of a line has one section.
	undivided = 16
)

// Units of the shares of bumped keys.
const (
	sharesFrom     = 8 // in 16ths of a key per slot
	numShares      = 15
	sharesTo       = sharesFrom + numShares - 1
	sixteenthShift = 12 // from 65536ths
	shareOne       = 1 << 16
)

// unlimited is more lines than any filter has.
const unlimited = math.MaxInt64

// A layout is the sections of a layer.
type layout struct{ longer, own sectionSize }

// sectionSize is the multiplier and the number of lines of a section. Fields, unlike arrays, stay in registers.
type sectionSize struct{ multiplier, lines uint64 }

func (l layout) total() uint64 { return l.longer.lines + l.own.lines }

func slots(r int) uint64 { return lengths[r].slots }

func longerBits(r int) int { return lengths[r].longer }

// shorterBits returns the next smaller number of bits, or 0.
func shorterBits(r int) int {
	for r--; r > 0 && slots(r) == 0; r-- {
	}
	return r
}

func (p Plan) heldByOne() uint64 { return slots(p.Bits) - spare }

// cutOf returns the share of the hashes, in 64ths, that are in the first section of a layer.
func (p Plan) cutOf(keys uint64) uint64 {
	if keys <= undivided*slots(p.Bits) {
		return 0
	}
	return uint64(p.Cut)
}

// multiplierFor returns the multiplier of a section, as if all keys were there.
func multiplierFor(r int, keys, load uint64) uint64 { return ceil(loadUnit*keys, load*slots(r)) }

// layer returns a layer of keys with a load.
func (p Plan) layer(keys, load uint64) layout {
	first, own := uint64(0), multiplierFor(p.Bits, keys, load)
	if p.cutOf(keys) > 0 {
		first = multiplierFor(longerBits(p.Bits), keys, load)
	}
	return p.layout(keys, first, own)
}

// layout returns a layer of keys with the multipliers of its sections.
func (p Plan) layout(keys, longer, own uint64) layout {
	cut := p.cutOf(keys)
	if longer == 0 {
		cut = 0
	}
	return layout{sectionSize{longer, ceil(longer*cut, cuts)}, sectionSize{own, ceil(own*(cuts-cut), cuts)}}
}

// firstLayerLoad returns the least load, up to most, whose first layer alone has no more lines than given, or a
// larger one than most: the larger the load, the fewer lines it has.
func (p Plan) firstLayerLoad(keys, lines, most uint64) uint64 {
	if keys <= p.heldByOne() {
		return loadFrom
	}
	return loadFrom + uint64(sort.Search(int(most-loadFrom+1), func(i int) bool {
		return p.layer(keys, loadFrom+uint64(i)).total() <= lines
	}))
}

// leastLoad returns the least load, up to most, at which all layers together have no more
// lines than given, or 0 if none has.
func (p Plan) leastLoad(keys, lines, most uint64) uint64 {
	for load := p.firstLayerLoad(keys, lines, most); load <= most; load++ {
		if p.total(keys, load, lines) <= lines {
			return load
		}
	}
	return 0
}

// holds reports whether leastLoad finds a load. It begins with the greatest load, at which all layers
// together mostly have the fewest lines.
func (p Plan) holds(keys, lines, most uint64) bool {
	if p.total(keys, most, lines) <= lines {
		return true
	}
	first := p.firstLayerLoad(keys, lines, most)
	for load := most - 1; load >= first; load-- {
		if p.total(keys, load, lines) <= lines {
			return true
		}
	}
	return false
}

// total returns the number of lines in all layers of a load. If that is more than the given number, it
// may return any larger one.
func (p Plan) total(keys, load, enough uint64) (sum uint64) {
	for range fallback.MaxLinearLayers {
		if keys == 0 {
			return sum
		}
		if keys <= p.heldByOne() {
			return sum + 1
		}
		l := p.layer(keys, load)
		if sum += l.total(); sum > enough {
			return sum
		}
		bumped := p.bumpedOfLayer(keys, l)
		keys = min(keys, bumped+root(bumped))
	}
	return unlimited
}

// bumpedOfLayer returns how many keys of a layer go on to the next one, as far as can be told.
func (p Plan) bumpedOfLayer(keys uint64, l layout) uint64 {
	if l.longer.lines == 0 {
		return bumped(p.Bits, keys, l.own.lines)
	}
	first := keys * p.cutOf(keys) / cuts
	sum := bumped(p.Bits, keys-first, l.own.lines)
	if first > 0 {
		sum += bumped(longerBits(p.Bits), first, l.longer.lines)
	}
	return sum
}

// bumped returns how many keys of a section go on.
func bumped(r int, keys, lines uint64) uint64 {
	shares := &lengths[r].bumped
	slots := lines * slots(r)
	perSlot := keys << 16 / slots // in 65536ths of a key
	switch i := perSlot >> sixteenthShift; {
	case i < sharesFrom:
		return ceil(keys*shares[0], shareOne)
	case i >= sharesTo: // as many as with the last load are not bumped
		return keys - min(keys, slots*sharesTo*(shareOne-shares[numShares-1])>>20)
	default:
		low, high := shares[i-sharesFrom], shares[i-sharesFrom+1]
		return ceil(keys*(low+(high-low)*(perSlot&(1<<sixteenthShift-1))>>sixteenthShift), shareOne)
	}
}
