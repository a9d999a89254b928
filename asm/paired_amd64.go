//go:build !purego

package asm

// Below fewKeys keys are looked up one by one: a call of the batch kernels takes 60 ns
// at least, and one absent key 3.4 (AVX-512, Zen 4, 16 KiB).
const fewKeys = 2 * octet

// inPairs looks up hashes in Paired's blocks.
//
// While most keys are found, the kernel skips the quick test of their own blocks, which makes
// present keys about 20 % slower.
func (k *Kernel) inPairs(hashes []uint64, to answers) {
	if len(hashes) < fewKeys {
		k.oneByOne(hashes, to)
		return
	}
	far, direct := isFar(k.body), false
	inChunks(k.body, far, hashes, func(from, n, ahead int) {
		if ahead == 0 && far {
			ahead = -1 // for the other blocks
		}
		found, to := 0, to.from(from)
		if k.form >= form512 {
			found = pairedContainsBatchAVX512(k, &hashes[from], to.bits, to.bools, n, ahead, direct)
		} else {
			found = pairedContainsBatchAVX2(k, &hashes[from], to.bits, to.bools, n, ahead, direct)
		}
		direct = 8*found > 5*n
	})
}
