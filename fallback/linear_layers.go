package fallback

import "math"

// LinearLayers has the places of a linear filter's lines, in layers. A layer has one section of
// lines, or two, the first with longer fingerprints. A key's hash chooses one. The
// zero LinearLayers has no lines.
type LinearLayers struct { // internal/gen reads these declarations: kernels load the fields
	number   int    // of layers
	numLines int    // in all layers
	bits     [2]int // in the fingerprints of first and second sections
	layers   [MaxLinearLayers]linearLayer
}

// linearLayer is a layer of a linear filter.
type linearLayer struct {
	cut      uint32           // hashes whose low halves are below it are in the first section
	sections [2]LinearSection // the first has no lines if cut is 0
}

// LinearSection is neighbouring lines. The product of a hash's low half and the multiplier has
// the line's number in its high half.
type LinearSection struct {
	Multiplier uint32 // the number of lines that a section of all hashes has
	First      uint32 // the number of its first line among all lines
}

const cutShift = 26 // from a cut in 64ths to hashes' low halves

// NewLinearLayers returns the layers of a filter from the multipliers of their sections. Second
// sections have fingerprints of r bits. First ones, which layers of one section do not have, have
// the next longer ones, and the cut is their share of the hashes in 64ths. It reports whether the
// format has such filters, and an int can count their bytes.
func NewLinearLayers(multipliers [][2]uint32, cut, r int) (l LinearLayers, ok bool) {
	if LinearSlotsOf(r) == 0 || len(multipliers) > MaxLinearLayers || uint(cut) > 63 ||
		cut > 0 && (r == MostLinearBits || len(multipliers) == 0) {
		return LinearLayers{}, false
	}
	l.number, l.bits = len(multipliers), [2]int{LinearLonger(r), r}
	sum := uint64(0)
	for i, of := range multipliers {
		if of[0] > 0 && cut == 0 || of[1] == 0 {
			return LinearLayers{}, false
		}
		layer := &l.layers[i]
		if of[0] > 0 {
			layer.cut = uint32(cut) << cutShift
		}
		for k, multiplier := range of {
			layer.sections[k] = LinearSection{multiplier, uint32(sum)}
			if sum += layer.linesOf(k); sum > min(math.MaxUint32, math.MaxInt/(BlockBytes+1)) {
				return LinearLayers{}, false
			}
		}
	}
	l.numLines = int(sum)
	return l, true
}

// Number returns the number of layers, up to MaxLinearLayers.
func (l *LinearLayers) Number() int { return l.number }

// NumLines returns the number of lines in all layers.
func (l *LinearLayers) NumLines() int { return l.numLines }

// Bits returns the number of bits in the fingerprints of first sections, or of second ones.
func (l *LinearLayers) Bits(section int) int { return l.bits[section] }

// Section returns the first section of a layer, or the second one, its number of lines, and the
// share of the hashes, in 64ths, that belong to it.
func (l *LinearLayers) Section(layer, section int) (s LinearSection, lines, share uint64) {
	of := &l.layers[layer]
	return of.sections[section], of.linesOf(section), of.share(section)
}

func (l *linearLayer) share(section int) uint64 {
	first := uint64(l.cut >> cutShift)
	if section == 0 {
		return first
	}
	return 64 - first
}

func (l *linearLayer) linesOf(section int) uint64 {
	return (uint64(l.sections[section].Multiplier)*l.share(section) + 63) / 64
}

// section returns a hash's section and its number, and the hash as the section has it.
func (l *linearLayer) section(hash uint64) (s *LinearSection, number, own uint64) {
	number = 1 - below(uint64(uint32(hash)), uint64(l.cut)) // a branch would be unpredictable
	return &l.sections[number&1], number, hash - uint64(l.cut)&-number
}

// Place returns a mixed hash's line in a layer, its place in that line's order, its section, and the hash as that has
// it.
func (l *LinearLayers) Place(layer int, hash uint64) (line uint32, order uint64, section int, own uint64) {
	line, order, at, own := l.layers[layer%MaxLinearLayers].place(hash)
	return line, order, int(at), own
}

// InLine reports whether a line, of 64 bytes, contains a hash that it holds. The section and the hash are Place's.
func (l *LinearLayers) InLine(line []byte, header byte, section int, own uint64) bool {
	return l.shape(uint64(section)).holds(blockAt(line, 0), header, own) != 0
}

// LinearHolds reports whether a line, by its header, holds the keys with a place in its order. Others were bumped.
func LinearHolds(header byte, order uint64) bool { return order >= uint64(header>>seedBits) }

// place is Place of the layer.
func (l *linearLayer) place(hash uint64) (line uint32, order, section, own uint64) {
	of, section, own := l.section(hash)
	line, order = LinearPlace(own, of.Multiplier)
	line += of.First
	return
}

// shape returns how the lines of first or second sections are laid out.
func (l *LinearLayers) shape(section uint64) *linearShape { return linearShapeOf(l.bits[section&1]) }
