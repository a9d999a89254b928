package linear

import "slices"

// halves are the keys of a layer whose source is one list, by section, so that sorting a section does
// not branch on the keys of the other one.
type halves struct {
	keys         []uint64
	cut          uint64 // the low halves of the first section's hashes are below it
	first, other int    // where the next key of the first section goes, and that of the second, from the end on
	adder        func(hashes []uint64)
	sections     [2]listed
}

// listed is a source of one list.
type listed []uint64

func (l *listed) lists() int { return 1 }

func (l *listed) each(_ int, _ *segment, do func(hashes []uint64)) { do(*l) }

// fill reads all keys of a source of one list.
func (h *halves) fill(keys source, n, cut uint64, room *segment) {
	h.keys = slices.Grow(h.keys[:0], int(n))[:n]
	h.cut, h.first, h.other = cut, 0, int(n)-1
	keys.each(0, room, h.adder)
	h.sections = [2]listed{h.keys[:h.first], h.keys[h.first:]}
}

func (h *halves) add(hashes []uint64) {
	keys, first, other := h.keys, h.first, h.other
	for _, hash := range hashes {
		keys[first], keys[other] = hash, hash // one of these is overwritten
		isFirst := int((uint64(uint32(hash)) - h.cut) >> 63)
		first += isFirst
		other += isFirst - 1
	}
	h.first, h.other = first, other
}
