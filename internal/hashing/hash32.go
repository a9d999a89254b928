// Package hashing has key hashes in Go, in pieces that the compiler inlines, since a call takes longer than the hash of
// a short key. Package keyhash describes them.
package hashing

import "encoding/binary"

// The 32-bit hash of LevelDB's filters and of RocksDB's older ones has two forms (LevelDB's util/hash.cc, RocksDB's
// util/hash.cc). They differ in the bytes behind the last whole four: LevelDB since 1.18 extends them by zeros, RocksDB
// and Pebble by their sign. Keys of bytes below 0x80 have the same hash in both.
const (
	seed       = 0xbc9f1d34
	multiplier = 0xc6a4a793
	wordLength = 8
)

// Unsigned32 returns LevelDB's hash of the key.
func Unsigned32(key []byte) uint32 { return UnsignedRest32(Words32(key)) }

// UnsignedRest32 returns LevelDB's hash of a key of which Words32 returned h and rest. Without a rest it is h.
func UnsignedRest32(h uint32, rest []byte) uint32 {
	switch len(rest) {
	case 3:
		return last(h + uint32(rest[2])<<16 + uint32(rest[1])<<8 + uint32(rest[0]))
	case 2:
		return last(h + uint32(rest[1])<<8 + uint32(rest[0]))
	case 1:
		return last(h + uint32(rest[0]))
	}
	return h
}

// Signed32 returns RocksDB's hash of the key.
func Signed32(key []byte) uint32 {
	h, rest := Words32(key)
	switch len(rest) {
	case 3:
		return last(h + signed(rest[2])<<16 + signed(rest[1])<<8 + signed(rest[0]))
	case 2:
		return last(h + signed(rest[1])<<8 + signed(rest[0]))
	case 1:
		return last(h + signed(rest[0]))
	}
	return h
}

// Words32 hashes whole words, and returns the bytes behind them. The compiler inlines it.
func Words32(key []byte) (h uint32, rest []byte) {
	h = seed ^ uint32(len(key))*multiplier
	for ; len(key) >= 4; key = key[4:] {
		h = next(h, binary.LittleEndian.Uint32(key))
	}
	return h, key
}

// Word32 returns either hash of the word's 8 little-endian bytes, which are whole fours.
func Word32(key uint64) uint64 {
	return uint64(next(next(seed^wordLength*multiplier%(1<<32), uint32(key)), uint32(key>>32)))
}

// Half32 returns either hash of the half word's 4 little-endian bytes.
func Half32(key uint32) uint64 {
	return uint64(next(seed^wordLength/2*multiplier%(1<<32), key))
}

// next is the hash with another word of 4 bytes.
func next(h, word uint32) uint32 {
	h = (h + word) * multiplier
	return h ^ h>>16
}

func last(h uint32) uint32 {
	h *= multiplier
	return h ^ h>>24
}

func signed(b byte) uint32 { return uint32(int8(b)) }
