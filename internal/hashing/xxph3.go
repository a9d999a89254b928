package hashing

import (
	"encoding/binary"
	"math/bits"
)

// XXPH3 mixes the key with a fixed secret, in one of six ways by the key's
// length. All lengths are in bytes.
const (
	stripeLen  = 64  // bytes of a long key in one round
	secretStep = 8   // how far the secret moves from one stripe to the next
	midMax     = 240 // longer keys are hashed by stripes

	stripesPerBlock = (len(secret) - stripeLen) / secretStep // then the lanes are scrambled
	blockLen        = stripesPerBlock * stripeLen

	// Where the parts of the secret begin that must differ from those above.
	midSecondRound = 3
	midLast        = 136 - 17
	lastStripe     = len(secret) - stripeLen - 7
	mergeLanes     = 11
)

const (
	prime32x1 = 0x9E3779B1
	prime32x2 = 0x85EBCA77
	prime32x3 = 0xC2B2AE3D
)

// XXPH3 is XXPH3_64bits(key, len) with seed 0.
func XXPH3(key []byte) uint64 {
	switch n := len(key); {
	case n == 0:
		return foldedProduct(secret64(0), prime64x2) // RocksDB's own addition to the preview
	case n <= 3:
		return avalanche(to3(key))
	case n <= 8:
		return avalanche(to8(key))
	case n <= 16:
		return avalanche(to16(key))
	case n <= 128:
		return XXPH3Of128(key)
	case n <= midMax:
		return to240(key)
	default:
		return long(key)
	}
}

// XXPH3Of8 is XXPH3 of a key of 4 to 8 bytes, and XXPH3Of16 of 9 to 16. The compiler inlines both.
func XXPH3Of8(key []byte) uint64 { return avalanche(to8(key)) }

func XXPH3Of16(key []byte) uint64 { return avalanche(to16(key)) }

// XXPH3Word is the hash of a key of 64 bits, given as the word that its bytes are in little-endian order.
func XXPH3Word(word uint64) uint64 { return avalanche(mixWord(word, 8)) }

// XXPH3Half is the hash of a key of 32 bits, given as XXPH3Word's is.
func XXPH3Half(word uint32) uint64 { return avalanche(mixWord(uint64(word)|uint64(word)<<32, 4)) }

func to3(key []byte) uint64 {
	n := len(key)
	word := uint32(key[0]) | uint32(key[n>>1])<<8 | uint32(key[n-1])<<16 | uint32(n)<<24
	return (uint64(word) ^ secret64(0)&0xffffffff) * prime64x1
}

func to8(key []byte) uint64 {
	n := len(key)
	lo := uint64(binary.LittleEndian.Uint32(key))
	hi := uint64(binary.LittleEndian.Uint32(key[n-4:]))
	return mixWord(lo|hi<<32, n)
}

// mixWord mixes the first and the last 4 bytes of a key of n bytes, 4 to 8, in a word.
func mixWord(word uint64, n int) uint64 {
	x := word ^ secret64(0)
	x = uint64(n) + (x^x>>51)*prime32x1
	return (x ^ x>>47) * prime64x2
}

func to16(key []byte) uint64 {
	n := len(key)
	lo := binary.LittleEndian.Uint64(key) ^ secret64(0)
	hi := binary.LittleEndian.Uint64(key[n-8:]) ^ secret64(8)
	return uint64(n) + lo + hi + foldedProduct(lo, hi)
}

// XXPH3Of128 is XXPH3 of a key of 17 to 128 bytes, which it reads in pairs of 16 bytes from both ends inwards.
func XXPH3Of128(key []byte) uint64 {
	n := len(key)
	sum := uint64(n)*prime64x1 + mix16(key, 0) + mix16(key[n-16:], 16)
	if n > 32 {
		sum += mix16(key[16:], 32) + mix16(key[n-32:], 48)
		if n > 64 {
			sum += mix16(key[32:], 64) + mix16(key[n-48:], 80)
			if n > 96 {
				sum += mix16(key[48:], 96) + mix16(key[n-64:], 112)
			}
		}
	}
	return avalanche(sum)
}

func to240(key []byte) uint64 {
	n, first := len(key), (*[8 * 16]byte)(key)
	sum := uint64(n)*prime64x1 +
		mix16(first[:], 0) + mix16(first[16:], 16) + mix16(first[32:], 32) + mix16(first[48:], 48) +
		mix16(first[64:], 64) + mix16(first[80:], 80) + mix16(first[96:], 96) + mix16(first[112:], 112)
	sum = avalanche(sum)
	for at := len(first); at+16 <= n; at += 16 {
		sum += mix16(key[at:], at-len(first)+midSecondRound)
	}
	return avalanche(sum + mix16(key[n-16:], midLast))
}

func long(key []byte) uint64 {
	lanes := [8]uint64{
		prime32x3, prime64x1, prime64x2, prime64x3,
		prime64x4, prime32x2, prime64x5, prime32x1,
	}
	n := len(key)
	rest := key
	for len(rest) >= blockLen {
		for i := 0; i < stripesPerBlock; i++ {
			addStripe(&lanes, rest[i*stripeLen:], i*secretStep)
		}
		scramble(&lanes)
		rest = rest[blockLen:]
	}
	for i := 0; i < len(rest)/stripeLen; i++ {
		addStripe(&lanes, rest[i*stripeLen:], i*secretStep)
	}
	if n%stripeLen != 0 {
		addStripe(&lanes, key[n-stripeLen:], lastStripe)
	}

	sum := uint64(n) * prime64x1
	for i := 0; i < len(lanes); i += 2 {
		sum += foldedProduct(lanes[i]^secret64(mergeLanes+8*i), lanes[i+1]^secret64(mergeLanes+8*i+8))
	}
	return avalanche(sum)
}

// addStripe mixes 64 bytes into the lanes, with the secret from the given byte on.
func addStripe(lanes *[8]uint64, stripe []byte, from int) {
	words, secret := (*[stripeLen]byte)(stripe), (*[stripeLen]byte)(secret[from:])
	for i := range lanes {
		word := binary.LittleEndian.Uint64(words[8*i:])
		keyed := word ^ binary.LittleEndian.Uint64(secret[8*i:])
		lanes[i] += word + keyed&0xffffffff*(keyed>>32)
	}
}

func scramble(lanes *[8]uint64) {
	for i, lane := range lanes {
		lanes[i] = (lane ^ lane>>47 ^ secret64(len(secret)-stripeLen+8*i)) * prime32x1
	}
}

// mix16 is the contribution of 16 bytes, with the secret from the given byte on.
func mix16(b []byte, from int) uint64 {
	return foldedProduct(
		binary.LittleEndian.Uint64(b)^secret64(from),
		binary.LittleEndian.Uint64(b[8:])^secret64(from+8))
}

func foldedProduct(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func avalanche(x uint64) uint64 {
	x ^= x >> 37
	x *= prime64x3
	return x ^ x>>32
}

func secret64(from int) uint64 { return binary.LittleEndian.Uint64(secret[from:]) }

// secret is XXH3's default secret, which the preview has in common with it.
var secret = [192]byte{
	0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
	0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
	0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
	0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
	0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
	0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
	0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
	0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
	0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
	0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
	0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
	0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
}
