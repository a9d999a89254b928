//go:build !purego

package asm

// inPairs looks up hashes in Paired's blocks.
//
// While most keys are found, the kernel skips the quick test of their own blocks, which makes
// present keys about 20 % slower.
func (k *Kernel) inPairs(hashes []uint64, to answers) {
	far, direct := isFar(k.body), false
	k.inChunks(far, hashes, func(from, n, ahead int) {
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
