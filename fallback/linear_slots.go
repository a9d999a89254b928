package fallback

import (
	"encoding/binary"
	"math/bits"
)

// slotValues are the values of a line's slots.
type slotValues [linearSlots]uint32

// set sets the leading slots to the values that a system's rows have. The others stay 0.
func (v *slotValues) set(s *linearShape, y *linearSystem) {
	clear(v[:s.slots()])
	inRow := s.slots() - s.heads
	for i, row := range y.rows[:y.n] {
		v[(s.heads+uint(bits.TrailingZeros64(y.leading[i])))%linearSlots] = uint32(row >> (inRow & 63))
	}
	for i, h := range y.heads.rows[:s.heads] {
		v[i] = uint32(s.headless(h.low, h.high) >> (inRow & 63)) // 0 of no row
	}
}

// write writes a line.
func (v *slotValues) write(line *block, s *linearShape) {
	var bytes [BlockBytes + 8]byte // a plane's last column may be the first of a word
	for plane := range s.planes {
		slots := v[8*plane:][:8]
		for at := uint(0); at < s.r; at += 8 {
			binary.LittleEndian.PutUint64(bytes[plane*s.r+at:], columnsOf(slots, at))
		}
	}
	tail := v[8*s.planes:]
	for i, slot := range s.slotAt[:s.tail] {
		word := bytes[slot.at:]
		binary.LittleEndian.PutUint64(word, binary.LittleEndian.Uint64(word)|uint64(tail[i])<<slot.bit)
	}
	copy(line[:], bytes[:])
}

// columnsOf returns a word whose byte j has the bits of the given place and j, of eight
// slots.
func columnsOf(slots []uint32, at uint) (x uint64) {
	for i, value := range slots[:8] {
		x |= uint64(byte(value>>(at&31))) << (8 * i)
	}
	return transposed(x)
}

// transposed returns the word whose byte i has the bits i of x's bytes: pairs of bits change
// places, and then pairs of pairs.
func transposed(x uint64) uint64 {
	swap := func(distance int, mask uint64) {
		bits := (x ^ x>>distance) & mask
		x ^= bits ^ bits<<distance
	}
	swap(7, 0x00aa00aa00aa00aa)
	swap(14, 0x0000cccc0000cccc)
	swap(28, 0x00000000f0f0f0f0)
	return x
}
