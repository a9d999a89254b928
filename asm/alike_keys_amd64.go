//go:build !purego

package asm

const (
	pairBytes = 16 // of the keys that the kernels hash and look up

	// Scattered keys are touched so many at a time.
	touchedAlike = 256
)

// containsAlike looks up the first of many keys, by the kernels for keys of 16 bytes, and returns how many it
// looked up: none if there is no kernel, or the first eight have another length. It leaves none or eight at least.
func (k *Kernel) containsAlike(keys [][]byte, hits []bool) (done int) {
	if !HashesKeys || k.fewKeysMax != mostOctetKeys || k.keyHash != XX64 {
		return 0
	}
	most := nearChunk
	if len(k.body) >= keysFarFrom {
		if most = chunk; !k.isAligned() {
			return 0
		}
	}
	for len(keys)-done > mostOctetKeys && len(keys[done]) == pairBytes {
		n := min(len(keys)-done, most)
		if some := keys[done:][:min(n, touchedAlike)]; scattered(some) {
			n = len(some)
			touch(some)
		}
		if left := len(keys) - done - n&^(octet-1); 0 < left && left < octet {
			n -= octet
		}
		n &^= octet - 1
		answered := 0
		if at, to := &keys[done], &hits[done]; k.format == SplitBlock {
			answered = splitBlockContainsAlikeAVX512(k, at, to, n)
		} else {
			answered = fastLocalContainsAlikeAVX512(k, at, to, n)
		}
		if done += answered; answered < n {
			break
		}
	}
	return done
}
