//go:build !purego

package asm

const (
	// Keys in a group. A group is hashed before the one before it is looked up. At 32 MiB, keys of 24 bytes take 5.9 ns
	// in groups of 32, because of the calls, 5.5 of 64, 5.3 of 128, and 5.4 of 256 (Emerald Rapids).
	aheadGroup = 128

	// The fewest keys of a call that are hashed in groups. Fewer gain nothing.
	aheadLeast = 3 * aheadGroup

	// The number of filters that says that the lines of a batch, of 8 to nearChunk hashes, have been prefetched. Then
	// nothing else is, but for Paired's other lines.
	prefetched = 0
)

// linesOf returns where the lines of hashes are, and whether prefetching them while keys are hashed pays.
//
// With AVX-512, keys of 24 bytes take .8 of the time so at 16 and 32 MiB, and the same at 8 MiB. Keys of 0 to 64 bytes
// take .9. With AVX2, hashing takes most of the time: at 32 MiB, keys of 24 bytes took .93 by XX64 and 1.1 by XXPH3,
// and keys of 0 to 64 bytes 1.06 (Emerald Rapids).
func (k *Kernel) linesOf() (l lines, far bool) {
	byKernel := HashesKeys && k.form >= form512 && (k.keyHash == XX64 || k.keyHash == XXPH3)
	if !byKernel || !k.prefetchable || len(k.body)/2 < farFrom || !k.isAligned() {
		return lines{}, false
	}
	return lines{body: &k.body[0], size: uint64(len(k.body)), half: uintptr(k.blockHalf)}, true
}

// containsAhead looks up the first of many keys in a far body, whole groups of them, and returns how many. While a
// group is hashed, its lines are prefetched.
//
//go:noinline
func (k *Kernel) containsAhead(keys [][]byte, hits []bool) (done int) {
	l, far := k.linesOf()
	if !far || len(keys) < aheadLeast {
		return 0
	}
	// An eight's lines are prefetched while the next eight is hashed, so the last eight of the ring is in front of its
	// first, too.
	const ring = 2 * aheadGroup
	var room [octet + ring]uint64
	group := func(from int) []uint64 { return room[octet+from%ring:][:aheadGroup] }
	most := min(len(keys), largeBlock) / aheadGroup * aheadGroup
	for hashed := 0; done < most; {
		if hashed < most {
			hashKeys(k.keyHash, nil, group(hashed), keys[hashed:hashed+aheadGroup], &l)
			copy(room[:octet], room[ring:])
			if hashed += aheadGroup; hashed == aheadGroup {
				continue
			}
		}
		batch(k, group(done), answers{bools: &hits[done]}, prefetched)
		done += aheadGroup
	}
	return done
}
