package fallback

import "encoding/binary"

// everyByte times a byte is the word with that byte in every place.
const everyByte = 0x0101010101010101

// LinearContains reports whether a hash may be in a linear filter: it may for every hash
// that was added. layers are the numbers of lines in the body's layers, and r is the
// number of bits in a fingerprint.
//
// A key whose order is below its line's threshold was bumped to the next layer. Only in
// filters of crafted hashes are there keys that were bumped from the last one.
func LinearContains(body []byte, layers []uint32, r int, hash uint64) bool {
	shape := &linearShapes[r&MostLinearBits]
	from := uint32(0)
	for _, lines := range layers {
		n, order := LinearPlace(hash, lines)
		line := blockAt(body, from+n)
		header := line[linearHeader]
		if order >= uint64(header>>seedBits) {
			return shape.holds(line, hash) != 0
		}
		hash = LinearNext(hash)
		from += lines
	}
	return len(layers) > 0
}

// LinearContainsBatch sets bit i%64 of hits[i/64] to LinearContains of hashes[i], and the
// bits beyond the last hash in its word to zero.
func LinearContainsBatch(body []byte, layers []uint32, r int, hashes, hits []uint64) {
	shape := &linearShapes[r&MostLinearBits]
	inGroups(hashes, hits, func(keys []uint64) uint64 { return shape.answers(body, layers, keys) })
}

// answers returns the answers of at most 64 hashes. It goes from layer to layer with the
// keys that were bumped, 2 to 24 % of them. Nobody can predict which, so a bumped key is
// looked up in vain instead of branching on it.
func (s *linearShape) answers(body []byte, layers []uint32, hashes []uint64) (word uint64) {
	if len(layers) == 0 {
		return 0
	}
	if len(body) > farFrom {
		loadLines(body[:uint(layers[0])*BlockBytes], hashes)
	}
	var (
		bumped [group]uint64
		index  [group]uint8 // where they were among the hashes
	)
	for i := range index {
		index[i] = uint8(i)
	}
	from := uint32(0)
	for _, lines := range layers {
		n := 0
		for i, hash := range hashes {
			number, order := LinearPlace(hash, lines)
			line := blockAt(body, from+number)
			isBumped := below(order, uint64(line[linearHeader]>>seedBits))
			at := index[i%group] % group
			word |= s.holds(line, hash) &^ isBumped << at
			bumped[n%group], index[n%group] = LinearNext(hash), at
			n += int(isBumped)
		}
		if n == 0 {
			return word
		}
		hashes = bumped[:n]
		from += lines
	}
	for _, at := range index[:len(hashes)] { // bumped from the last layer
		word |= 1 << at
	}
	return word
}

// below returns 1 if a is less than b, else 0, both below 2^63.
func below(a, b uint64) uint64 { return (a - b) >> 63 }

// holds returns 1 if the slots in the key's row, XORed, are its fingerprint, else 0.
//
// It takes eight columns at a time, of every plane. As parity is linear, it XORs the
// planes before it takes the parities of the columns. The first eight columns tell 255 of
// 256 absent keys.
func (s *linearShape) holds(line *block, hash uint64) uint64 {
	seed := int(line[linearHeader] % byte(len(linearSeeds)))
	word, row := linearWord(hash), s.row(hash, seed)
	want := s.fingerprint(word) ^ s.tailSum(line, tailRow(word, seed))
	if s.r < 8 {
		return equal(s.columns(line, row, 0)&0x7f, want&0x7f)
	}
	for at := uint(0); s.columns(line, row, at) == want>>(at&63)&0xff; at = min(at+8, s.r-8) {
		if at == s.r-8 {
			return 1
		}
	}
	return 0
}

// equal returns 1 if a is b, else 0, both below 2^63.
func equal(a, b uint64) uint64 { return ((a ^ b) - 1) >> 63 }

// columns returns a byte with the parity of eight columns from the given one on, of all
// planes.
func (s *linearShape) columns(line *block, row uint64, at uint) uint64 {
	var sum uint64
	for range s.planes {
		sum ^= wordAt(line, at) & (row & 0xff * everyByte)
		row >>= 8
		at += s.r
	}
	return gathered(byteParities(sum))
}

// byteParities returns a word whose byte j is the parity of x's byte j.
func byteParities(x uint64) uint64 {
	x ^= x >> 4
	x ^= x >> 2
	x ^= x >> 1
	return x & everyByte
}

// gathered returns the byte whose bit j is byte j of x, all of which are 0 or 1.
func gathered(x uint64) uint64 {
	const toTheTop = 0x0102040810204080
	return x * toTheTop >> 56
}

// tailSum returns the slots of the tail that are in the row, XORed. Bits beyond a slot's
// are anything.
func (s *linearShape) tailSum(line *block, row uint64) (sum uint64) {
	for _, slot := range s.slotAt[:s.tail] {
		sum ^= wordAt(line, uint(slot.at)) >> (slot.bit & 63) & -(row & 1)
		row >>= 1
	}
	return sum
}

// wordAt returns the eight bytes from the given one on. No caller asks for bytes beyond
// the line; the minimum takes one comparison where a check of the index takes two.
func wordAt(line *block, at uint) uint64 {
	at = min(at, BlockBytes-8)
	return binary.LittleEndian.Uint64(line[at : at+8])
}
