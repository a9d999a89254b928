package fallback

import "math/bits"

// The constants by which a linear filter mixes a key's hash.
const (
	linearMix  = 0xff51afd7ed558ccd
	linearHigh = 0x9e3779b1
	linearLow  = 0x85ebca77
	linearNext = 0xd6e8feb86659fd93
)

// LinearMix returns the mixed hash, which everything else uses instead of a key's hash. Without it, the keys of a
// shard that was chosen by the same hash would share bits.
func LinearMix(hash uint64) uint64 { return (hash ^ hash>>32) * linearMix }

// linearSeeds are the multipliers that rows come from.
var linearSeeds = [1 << seedBits]uint64{0xed5ad4bb, 0xac4c1b51, 0xf1357ae9, 0xc2b2ae3d}

// LinearSeed returns the multiplier that rows come from in lines with a seed.
func LinearSeed(seed int) uint64 { return linearSeeds[seed&(len(linearSeeds)-1)] }

// LinearMixAll sets dst[i] to LinearMix(hashes[i]). dst may be the hashes.
func LinearMixAll(dst, hashes []uint64) {
	dst = dst[:len(hashes)]
	for i, hash := range hashes {
		dst[i] = LinearMix(hash)
	}
}

// LinearUnmixAll sets dst[i] to the hash that LinearMix makes hashes[i] of. dst may be the hashes.
func LinearUnmixAll(dst, hashes []uint64) {
	const inverse = 0x4f74430c22a54005 // of linearMix modulo 2^64
	dst = dst[:len(hashes)]
	for i, hash := range hashes {
		hash *= inverse
		dst[i] = hash ^ hash>>32
	}
}

// LinearPlace returns a hash's line, counted from its section's first one, and its place in
// that line's order: a line holds the keys whose place is not below its threshold.
func LinearPlace(hash uint64, multiplier uint32) (line uint32, order uint64) {
	product := uint64(uint32(hash)) * uint64(multiplier)
	return uint32(product >> 32), min(product>>26&63, linearEmpty-1)
}

// LinearPlacesBelow returns how many of 64 equally likely places in a line's order are below the
// threshold in its header. The line does not hold keys with lower places.
func LinearPlacesBelow(header byte) uint64 {
	threshold := header >> seedBits
	if threshold == linearEmpty { // the last place stands for two
		threshold++
	}
	return uint64(threshold)
}

// LinearNext returns the hash that a key has in the next layer.
func LinearNext(hash uint64) uint64 { return bits.RotateLeft64(hash*linearNext, 32) }

// linearWord returns the bits of a hash whose top ones are the fingerprint, and whose
// low bytes are the tail's rows, one for each seed.
func linearWord(hash uint64) uint64 {
	return hash>>32*linearHigh ^ uint64(uint32(hash))*linearLow<<32
}

// row returns which of the planes' slots are in a key's row. Bits above are anything.
func (s *linearShape) row(hash uint64, seed int) uint64 {
	return hash >> 32 * LinearSeed(seed) >> (s.rowShift & 63)
}

// tailRow returns which of the tail's slots are. word is the hash's. Bits above are
// anything.
func tailRow(word uint64, seed int) uint64 { return word >> (8 * seed & 63) }

// fingerprint returns a key's fingerprint. word is the hash's.
func (s *linearShape) fingerprint(word uint64) uint64 { return word >> (s.wordShift & 63) }
