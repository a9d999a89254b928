//go:build !purego

package asm

// mostFewKeys are hashed and looked up by one kernel.
const mostFewKeys = 64

// fewKeys returns how many sizes of batches, from eight keys on, containsFewKeys looks up.
func fewKeys(k *Kernel) uint8 {
	if HashesKeys && k.keyHash == ByXX64 && k.mostFew > 0 && k.format != Linear {
		return mostFewKeys - (octet - 1)
	}
	return 0
}
