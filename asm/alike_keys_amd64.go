//go:build !purego

package asm

import "encoding/binary"

const (
	pairBytes = 16 // of the keys that the kernels hash and look up

	// Scattered keys are touched so many at a time.
	touchedAlike = 256
)

// mostAlike returns how many keys a call of these kernels takes, or 0 if there are none.
func (k *Kernel) mostAlike() int {
	switch {
	case !HashesKeys || k.fewKeysMax != mostOctetKeys || k.keyHash != XX64:
		return 0
	case len(k.body) < keysFarFrom:
		return nearChunk
	case k.isAligned():
		return chunk
	}
	return 0
}

// ContainsWords looks up the first of many keys of 8 little-endian bytes, by a kernel that hashes them as well, and
// returns how many it looked up: none if there is no kernel, or all but up to seven.
func (k *Kernel) ContainsWords(words []uint64, hits []bool) (done int) {
	if len(words) <= mostOctetKeys || len(k.body) < wordsFarFrom || k.mostAlike() == 0 {
		return 0
	}
	for done+octet <= len(words) {
		n := min(len(words)-done, chunk) &^ (octet - 1)
		if at, to := &words[done], &hits[done]; k.format == SplitBlock {
			splitBlockContainsWordsAVX512(k, at, to, n)
		} else {
			fastLocalContainsWordsAVX512(k, at, to, n)
		}
		done += n
	}
	return done
}

// containsEights is ContainsWords of the keys before the first that has not 8 bytes. It has 8 KiB of the stack.
//
//go:noinline
func (k *Kernel) containsEights(keys [][]byte, hits []bool) (done int) {
	var words [chunk]uint64
	for {
		n := 0
		for _, key := range keys[done:min(done+chunk, len(keys))] {
			if len(key) != octet {
				break
			}
			words[n] = binary.LittleEndian.Uint64(key)
			n++
		}
		n = k.ContainsWords(words[:n], hits[done:])
		if done += n; n < chunk {
			return done
		}
	}
}

// containsAlike looks up the first of many keys, by the kernels for keys of 16 bytes, and returns how many it
// looked up: none if there is no kernel, or the first eight have another length. Of keys of 16 bytes it leaves none, or
// eight at least.
func (k *Kernel) containsAlike(keys [][]byte, hits []bool) (done int) {
	most := k.mostAlike()
	if most > 0 && len(keys) > 4*mostOctetKeys && len(keys[0]) == octet && isFar(k.body) {
		return k.containsEights(keys, hits)
	}
	for most > 0 && len(keys)-done > mostOctetKeys && len(keys[done]) == pairBytes {
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
	if done == 0 {
		return k.containsAhead(keys, hits)
	}
	return done
}
