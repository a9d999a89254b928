package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// loosen changes a filter so that it may contain all that it did before, and more, by what its
// format says. So whatever policy reads it must find every key. It reports whether it changed
// something.
//
// Most changes are not like that: a filter with a bit less answers "no" for keys that it was built of,
// and nobody can tell it from another. Which changes only add keys depends on the format:
//
//   - In Bloom filters (FastLocal, Paired, legacy and LevelDB's) a key is there if all of its bits are
//     set. More bits, and fewer probes, which are the first of those before, lose none. A paired
//     block's first byte names its partner block: it must stay.
//   - In linear and Ribbon filters a key is there if slots, XORed, are its fingerprint. Any bit of a
//     slot is in half of the keys' fingerprints: none may change.
//   - Every format's metadata have values that nobody writes. With these the filter is of an unknown
//     format, and may contain all keys. Values that are written mean another format, or more probes,
//     and would lose keys.
func loosen(filter []byte, name string, r *rand.Rand) bool {
	if len(filter) <= metadataBytes {
		return false // RocksDB's filter of no keys or of all, or one cut off
	}
	changes := changesOf(filter, name)
	return len(changes) > 0 && changes[r.IntN(len(changes))](filter, r)
}

// metadataBytes are behind the body in RocksDB's formats: a marker and four more.
const metadataBytes = 5

// change changes a filter. It reports whether it did.
type change func(filter []byte, r *rand.Rand) bool

// changesOf returns the changes that lose no key.
func changesOf(filter []byte, name string) []change {
	marker := filter[len(filter)-metadataBytes]
	switch {
	case strings.HasPrefix(name, "simdbloom.Linear."):
		return []change{spoilLinear}
	case strings.HasPrefix(name, "simdbloom.SplitBlock."):
		return []change{setBits(0, 0)} // there are no metadata
	case strings.HasPrefix(name, "simdbloom.LevelDB."):
		return []change{setBits(1, 0), lessProbes(1, 0xff), setByte(1, 31, 255)}
	case strings.HasPrefix(name, "simdbloom.Paired"):
		return []change{setBits(4, 64), lessProbes(3, 0x1f), setByte(1, 1, 255), setByte(2, 8, 255), setByte(4, 2, 255)}
	case marker == 0xff: // FastLocal, also under Ribbon's name
		return []change{setBits(metadataBytes, 0), lessProbes(3, 0x1f), setByte(1, 1, 255), setByte(2, 1, 255), setByte(4, 1, 255), setByte(5, 0x80, 0xfd)}
	case marker == 0xfe: // Ribbon
		return []change{setByte(5, 0x80, 0xfd)}
	case marker > 0 && marker < 0x80: // legacy, and the marker is its number of probes
		return []change{setBits(metadataBytes, 0), lessProbes(5, 0x7f), setByte(5, 0x80, 0xfd)}
	}
	return nil
}

// setBits sets up to eight bits of the body, before the metadata of the given length: none in a
// byte that begins a block of the given length, if it is not 0.
func setBits(metadata, block int) change {
	return func(filter []byte, r *rand.Rand) bool {
		before := slices.Clone(filter)
		for range 1 + r.IntN(8) {
			if at := r.IntN(len(filter) - metadata); block == 0 || at%block > 0 {
				filter[at] |= 1 << r.IntN(8)
			}
		}
		return !slices.Equal(filter, before)
	}
}

// lessProbes lowers a number of probes, in these low bits of a byte so far from the end.
func lessProbes(fromEnd int, mask byte) change {
	return func(filter []byte, r *rand.Rand) bool {
		at := len(filter) - fromEnd
		probes := int(filter[at] & mask)
		if probes < 2 {
			return false
		}
		filter[at] = filter[at]&^mask | byte(1+r.IntN(probes-1))
		return true
	}
}

// setByte sets a byte so far from the end to a value of a range.
func setByte(fromEnd, least, most int) change {
	return func(filter []byte, r *rand.Rand) bool {
		at := len(filter) - fromEnd
		value := byte(least + r.IntN(most-least+1))
		changed := filter[at] != value
		filter[at] = value
		return changed
	}
}

// spoilLinear flips a bit of the name of the format or of the byte before it.
func spoilLinear(filter []byte, r *rand.Rand) bool {
	const constant = 1 + 4
	filter[len(filter)-1-r.IntN(constant)] ^= 1 << r.IntN(8)
	return true
}
