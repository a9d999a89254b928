//go:build !purego

package asm

import (
	"math/bits"

	"github.com/simdbloom/simdbloom/cpu"
)

const mostHashedKeys = 512 // strings of up to 255 bytes take up to 15 microseconds from memory

// hashedKeysNext returns how many of a number of keys, at least eight, a kernel hashes in the next call, so that none
// or eight at least are left.
func hashedKeysNext(keys, most int) int {
	if left := keys - most; 0 < left && left < octet {
		return most - octet
	}
	return min(keys, most)
}

// leftOctets calls again with the first of each eight of n keys that a kernel has left.
func leftOctets(left uint64, n int, again func(from int)) {
	for ; left != 0; left &= left - 1 {
		again(min(octet*bits.TrailingZeros64(left), n-octet))
	}
}

// HashesTogether reports whether kernels hash eight keys so much faster than one by one that it pays to copy them.
func HashesTogether() bool { return cpu.Current() == cpu.AVX512 }

// HashKeys sets hashes[i] to the hash of keys[i]. It panics if hashes is shorter than keys. The two, and the
// keys' bytes, must not overlap in memory. OutsideHash calls the given function, and others ignore it.
//
// Keys that are scattered over memory are loaded many at a time. The kernels hash up to seven keys twice, instead of
// one by one. They leave eight keys to Go of which one is long.
func HashKeys(by KeyHash, outside OutsideKeyHash, hashes []uint64, keys [][]byte) {
	hashKeys(by, outside, hashes, keys, nil)
}

// lines are those that hashes choose in a body.
type lines struct { // internal/gen reads this declaration
	body *byte
	size uint64
	half uintptr // byte offset of the half of a hash that chooses
}

// hashKeys is HashKeys. With AVX-512 it prefetches the lines of hashes by XX64 and XXPH3, unless l is nil: those of
// eight hashes when the next eight have been hashed. So it reads the eight in front of the first.
func hashKeys(by KeyHash, outside OutsideKeyHash, hashes []uint64, keys [][]byte, l *lines) {
	hashes = hashes[:len(keys):len(hashes)]
	if by == OutsideHash {
		hashOutside(outside, hashes, keys)
		return
	}
	level := cpu.Current()
	for n := 0; len(keys) > 0; hashes, keys = hashes[n:], keys[n:] {
		n = min(together, len(keys))
		if n > octet && scattered(keys[:n]) {
			touch(keys[:n])
		}
		if level == cpu.Generic || n < octet {
			hashKeysInGo(by, hashes[:n], keys[:n])
			continue
		}
		raceWrite(hashes[:n])
		raceReadKeys(keys[:n])
		leftOctets(hashOctets(by, level, &hashes[0], &keys[0], n, l), n, func(from int) { hashKeysInGo(by, hashes[from:from+octet], keys[from:from+octet]) })
	}
}

// hashOctets hashes n keys, from 8 to 512, as hashKeys does, but for the octets whose bits it returns.
func hashOctets(by KeyHash, level cpu.Level, hashes *uint64, keys *[]byte, n int, l *lines) (left uint64) {
	switch wide := level == cpu.AVX512; {
	case by == XX64 && wide:
		return hashKeysAVX512(hashes, keys, n, l)
	case by == XX64:
		return hashKeysAVX2(hashes, keys, n)
	case by == XXPH3 && wide:
		return hashKeysXXPH3AVX512(hashes, keys, n, l)
	case by == XXPH3:
		return hashKeysXXPH3AVX2(hashes, keys, n)
	case wide:
		return hashKeys32AVX512(hashes, keys, n, signsOf(by))
	default:
		return hashKeys32AVX2(hashes, keys, n, signsOf(by))
	}
}

// signsOf returns the bits by which the last bytes of a key are extended.
func signsOf(by KeyHash) uint64 {
	if by == RocksDB32 {
		return 0x808080
	}
	return 0
}
