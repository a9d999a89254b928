package bitsandblooms

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Hash is a key's hash, of 256 bits. [Sum] computes it. It is the same for every filter, so
// hash a key once and look it up in many. Hashes can be compared.
type Hash struct {
	H0, H1 uint64 // MurmurHash3 x64_128 of the key, with seed 0
	H2, H3 uint64 // the same of the key and one byte 01 behind it
}

// Sum returns the hash of a key, in one pass over it: some nanoseconds, and half of one for each 16
// bytes or so.
//
// It is that of bits-and-blooms/bloom (sum256 in murmur.go) and of willf/bloom.
func Sum(key []byte) Hash {
	var h1, h2 uint64
	rest := key
	for ; len(rest) >= blockBytes; rest = rest[blockBytes:] {
		h1, h2 = mixBlock(h1, h2, binary.LittleEndian.Uint64(rest), binary.LittleEndian.Uint64(rest[8:]))
	}
	n, tail := uint64(len(key)), uint64(len(rest))
	low, high := lastBytes(key, len(rest))
	var h Hash
	h.H0, h.H1 = finish(h1^scrambleLow(low), h2^scrambleHigh(high), n)
	// One of these shifts is by 64 or more, which leaves nothing.
	low |= 1 << (8 * tail)
	high |= 1 << (8*tail - 64)
	if tail+1 == blockBytes {
		h1, h2 = mixBlock(h1, h2, low, high)
		low, high = 0, 0
	}
	h.H2, h.H3 = finish(h1^scrambleLow(low), h2^scrambleHigh(high), n+1)
	return h
}

// SumString is Sum of the string's bytes, without copying them.
func SumString(key string) Hash { return Sum(unsafe.Slice(unsafe.StringData(key), len(key))) }

const (
	blockBytes = 16

	factor1 = 0x87c37b91114253d5
	factor2 = 0x4cf5ad432745937f
)

// lastBytes returns the key's last n bytes, fewer than a block, as two little-endian words, and zeros
// behind them. A zero word changes nothing when it is mixed in.
func lastBytes(key []byte, n int) (low, high uint64) {
	last := key[len(key)-n:]
	switch {
	case n >= 8:
		return binary.LittleEndian.Uint64(last), binary.LittleEndian.Uint64(last[n-8:]) >> (128 - 8*n)
	case len(key) >= 8:
		return binary.LittleEndian.Uint64(key[len(key)-8:]) >> (64 - 8*n), 0
	case n >= 4: // the two halves may overlap
		return uint64(binary.LittleEndian.Uint32(last)) | uint64(binary.LittleEndian.Uint32(last[n-4:]))<<(8*n-32), 0
	case n > 0: // and so may these bytes
		return uint64(last[0]) | uint64(last[n/2])<<(n/2*8) | uint64(last[n-1])<<(8*n-8), 0
	}
	return 0, 0
}

func mixBlock(h1, h2, low, high uint64) (uint64, uint64) {
	h1 = (bits.RotateLeft64(h1^scrambleLow(low), 27)+h2)*5 + 0x52dce729
	h2 = (bits.RotateLeft64(h2^scrambleHigh(high), 31)+h1)*5 + 0x38495ab5
	return h1, h2
}

func scrambleLow(word uint64) uint64 { return bits.RotateLeft64(word*factor1, 31) * factor2 }

func scrambleHigh(word uint64) uint64 { return bits.RotateLeft64(word*factor2, 33) * factor1 }

// finish mixes in the length of the hashed bytes.
func finish(h1, h2, n uint64) (uint64, uint64) {
	h1 ^= n
	h2 ^= n
	h1 += h2
	h2 += h1
	h1, h2 = avalanche(h1), avalanche(h2)
	h1 += h2
	return h1, h2 + h1
}

func avalanche(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
