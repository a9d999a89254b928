// Package legacy has the bytes, sizes and false-positive rates of RocksDB's filters before format_version 5, and how
// they are built.
package legacy

import (
	"math/bits"
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/asm"
)

// sampledHashes is the number of random hashes that EstimatedFPR looks up.
const sampledHashes = 1 << 21

// EstimatedFPR returns the rate of a filter of 32-bit hashes, found by looking up two million random
// hashes, always the same ones. It costs tens of milliseconds.
func EstimatedFPR(kernel *asm.Kernel) float64 {
	random := rand.NewPCG(1, 2)
	var hashes [512]uint64
	found := 0
	for range sampledHashes / len(hashes) {
		for i := range hashes {
			hashes[i] = random.Uint64() >> 32
		}
		found += foundOf(kernel, hashes[:])
	}
	return float64(found) / sampledHashes
}

// foundOf returns how many of at most 512 hashes a filter contains.
func foundOf(kernel *asm.Kernel, hashes []uint64) (n int) {
	var hits [8]uint64
	kernel.ContainsBits(hashes, hits[:])
	for _, word := range hits[:asm.Words(len(hashes))] {
		n += bits.OnesCount64(word)
	}
	return n
}
