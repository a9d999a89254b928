package redisbloom

import "encoding/binary"

// hash has the first place of a key, and the step to each other one, before remainders.
type hash struct{ at, step uint64 }

// The seeds of the first hash. It is the seed of the second one.
const (
	seed   = 0xc6a4a7935bd1e995
	seed32 = 0x9747b28c
)

// sum returns the hash of a key.
func (h *header) sum(key []byte) hash {
	if h.options&optionHash64 != 0 {
		a := murmur64A(key, seed)
		return hash{a, murmur64A(key, a)}
	}
	a := murmur2(key, seed32)
	return hash{uint64(a), uint64(murmur2(key, a))}
}

// murmur64A is Austin Appleby's MurmurHash64A, in little-endian order.
func murmur64A(key []byte, seed uint64) uint64 {
	const m, r = 0xc6a4a7935bd1e995, 47
	h := seed ^ uint64(len(key))*m
	for ; len(key) >= 8; key = key[8:] {
		k := binary.LittleEndian.Uint64(key) * m
		h = (h ^ (k^k>>r)*m) * m
	}
	if len(key) > 0 {
		var last [8]byte
		copy(last[:], key)
		h = (h ^ binary.LittleEndian.Uint64(last[:])) * m
	}
	h = (h ^ h>>r) * m
	return h ^ h>>r
}

// murmur2 is Austin Appleby's MurmurHash2, of 32 bits, in little-endian order.
func murmur2(key []byte, seed uint32) uint32 {
	const m, r = 0x5bd1e995, 24
	h := seed ^ uint32(len(key))
	for ; len(key) >= 4; key = key[4:] {
		k := binary.LittleEndian.Uint32(key) * m
		h = h*m ^ (k^k>>r)*m
	}
	if len(key) > 0 {
		var last [4]byte
		copy(last[:], key)
		h = (h ^ binary.LittleEndian.Uint32(last[:])) * m
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}
