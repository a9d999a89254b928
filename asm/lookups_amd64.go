//go:build !purego

package asm

import (
	"unsafe"
)

// Contains reports whether the filter may contain a hash.
func (k *Kernel) Contains(hash uint64) bool {
	k.raceLookup(hash)
	_, found := contains(k, hash)
	return found
}

// HashesKeys reports whether ContainsKey has assembly. The race detector would not see what that reads.
const HashesKeys = !raceEnabled

// ContainsKey is Contains of a key's hash.
func (k *Kernel) ContainsKey(key []byte) bool {
	return containsKey(k, unsafe.SliceData(key), len(key))
}

// ContainsBits sets bit i%64 of hits[i/64] to Contains(hashes[i]) for every hash, and the bits
// beyond the last one in its word to zero. hits shares no memory with the hashes. Words beyond
// those are left alone.
func (k *Kernel) ContainsBits(hashes, hits []uint64) {
	k.raceLookupBits(hashes, hits)
	containsBits(k, hashes, hits)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (k *Kernel) ContainsBools(hashes []uint64, hits []bool) {
	k.raceLookupBools(hashes, hits)
	containsBools(k, hashes, hits)
}

// oneByOneMaxOf returns the most keys of a batch that are looked up one by one. More are faster together, by the
// medians of bloom's BenchmarkCalls, at 16 KiB, 1 MiB and 32 MiB.
func oneByOneMaxOf(format Format, f form, body []byte) uint8 {
	generic := f == formGeneric
	switch {
	case format == FastLocal && f == form512: // the kernel for a few does it
		return 0
	case format == LevelDB && generic:
		return 3
	case format == LevelDB:
		return 5
	case format == Legacy && generic:
		return 31
	case format == Paired && !generic, format == FastLocal && generic, format == Ribbon && f >= form512 && isFar(body):
		return 15
	case format == Linear && f >= form512: // the kernel for a few takes as long for any number up to eight
		return 5
	case format == Legacy, format == Linear && !isFar(body):
		return 11
	default:
		return 7
	}
}
