package fallback

import "encoding/binary"

// everyByte times a byte is the word with that byte in every place.
const everyByte = 0x0101010101010101

// LinearContains reports whether a hash may be in a linear filter: it may for every hash
// that was added. The body is the filter's lines, and then their headers.
//
// A key whose order is below its line's threshold was bumped to the next layer. Headers say so,
// and a lookup reads one line. Only in filters of crafted hashes, or of a limited size, are there
// keys that were bumped from the last layer.
func LinearContains(body []byte, layers *LinearLayers, hash uint64) bool {
	hash = LinearMix(hash)
	headers := body[layers.numLines*BlockBytes:]
	for i := range layers.number {
		number, order, section, own := layers.layers[i%MaxLinearLayers].place(hash)
		if header := headers[number]; LinearHolds(header, order) {
			return layers.shape(section).holds(blockAt(body, number), header, own) != 0
		}
		hash = LinearNext(own)
	}
	return layers.number > 0
}

// LinearContainsBatch sets bit i%64 of hits[i/64] to LinearContains of hashes[i], and the
// bits beyond the last hash in its word to zero.
func LinearContainsBatch(body []byte, layers *LinearLayers, hashes, hits []uint64) {
	inGroups(hashes, hits, func(keys []uint64) uint64 { return linearAnswers(body, layers, keys) })
}

// linearKey is a key on its way through the layers.
type linearKey struct {
	hash    uint64
	line    uint32 // its number
	header  byte
	section uint8
}

// linearAnswers returns the answers of at most 64 hashes. It finds the lines of all of them
// before it reads a line. Nobody can predict which keys were bumped, so it does not branch on it.
func linearAnswers(body []byte, layers *LinearLayers, hashes []uint64) (word uint64) {
	if layers.number == 0 {
		return 0
	}
	var (
		keys   [group]linearKey
		bumped [group]uint8 // which keys are looked up in the next layer
	)
	for i, hash := range hashes {
		keys[i%group].hash, bumped[i%group] = LinearMix(hash), uint8(i)
	}
	headers := body[layers.numLines*BlockBytes:]
	n := len(hashes)
	for i := 0; n > 0 && i < layers.number; i++ {
		layer, left := &layers.layers[i%MaxLinearLayers], 0
		for _, key := range bumped[:n] {
			k := &keys[key%group]
			if i > 0 {
				k.hash = LinearNext(k.hash)
			}
			number, order, at, own := layer.place(k.hash)
			header := headers[number]
			*k = linearKey{own, number, header, uint8(at)}
			bumped[left%group] = key
			left += int(below(order, uint64(header>>seedBits)))
		}
		n = left
	}
	for _, key := range bumped[:n] { // bumped from the last layer
		word |= 1 << key
	}
	found := keys[:len(hashes)]
	if len(body) > farFrom {
		loadLinearLines(body, found)
	}
	for i := range found {
		k := &found[i]
		word |= layers.shape(uint64(k.section)).holds(blockAt(body, k.line), k.header, k.hash) << (i % group)
	}
	return word
}

// loadLinearLines is loadLines of keys whose lines are known.
//
//go:noinline
func loadLinearLines(body []byte, keys []linearKey) (all byte) {
	for i := range keys {
		all |= blockAt(body, keys[i].line)[0]
	}
	return all
}

// below returns 1 if a is less than b, else 0, both below 2^63.
func below(a, b uint64) uint64 { return (a - b) >> 63 }

// holds returns 1 if the slots in the key's row, XORed, are its fingerprint, else 0.
//
// It handles eight columns at a time, of every plane. As parity is linear, it XORs the
// planes before it computes the parities of the columns. The first eight columns tell 255 of
// 256 absent keys.
func (s *linearShape) holds(line *block, header byte, hash uint64) uint64 {
	seed := int(header % byte(len(linearSeeds)))
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
// the line; the minimum costs one comparison, a check of the index two.
func wordAt(line *block, at uint) uint64 {
	at = min(at, BlockBytes-8)
	return binary.LittleEndian.Uint64(line[at : at+8])
}
