//go:build !purego

package asm

import (
	"math/bits"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/fallback"
)

// A kernel gathers the bits that a key's block lacks in words, and each of these takes one atomic
// operation. These are fewer than probes, and take most of the time.

// AddShared is Add in a shared body.
func (k *Kernel) AddShared(hash uint64) {
	if !k.findsMissing() {
		k.formatAdder().addShared(hidden(k), hash)
		return
	}
	l, missing := fallback.LineAt(k.words(), hash), [fallback.BlockBytes / 8]uint64{}
	for words := missingBits(k, hash, &missing); words != 0; words &= words - 1 {
		i := bits.TrailingZeros64(words) % len(l)
		atomic.OrUint64(&l[i], missing[i])
	}
}

// AddIfAbsentShared is AddIfAbsent in a shared body. It reports whether this call set a bit.
func (k *Kernel) AddIfAbsentShared(hash uint64) bool {
	if !k.findsMissing() {
		return k.formatAdder().addIfAbsentShared(hidden(k), hash)
	}
	l, missing, set := fallback.LineAt(k.words(), hash), [fallback.BlockBytes / 8]uint64{}, uint64(0)
	for words := missingBits(k, hash, &missing); words != 0; words &= words - 1 {
		i := bits.TrailingZeros64(words) % len(l)
		set |= missing[i] &^ atomic.OrUint64(&l[i], missing[i])
	}
	return set != 0
}

// findsMissing reports whether missingBits has a kernel for the filter.
func (k *Kernel) findsMissing() bool { return k.adder != nil && k.adder.missingBits != 0 }

// AddFastLocal is AddAll of a FastLocal body that is not shared, of a Kernel that may have been made for lookups.
func (k *Kernel) AddFastLocal(hashes []uint64) {
	if k.form == formGeneric {
		fallback.FastLocalAdd(k.body, k.probes, hashes)
		return
	}
	k.raceAddAll(hashes)
	for len(hashes) >= octet {
		n := addedAtOnce(len(hashes))
		if k.form >= form512 {
			fastLocalAddAVX512(k, &hashes[0], n, k.isFarForAdd())
		} else {
			fastLocalAddAVX2(k, &hashes[0], n, k.isFarForAdd256())
		}
		hashes = hashes[n:]
	}
	if len(hashes) > 0 && k.adder == nil {
		k.setAdder(&fastLocalAdders)
	}
	for _, hash := range hashes {
		add(k, hash)
	}
}

// blobloomAddAll adds hashes to blobloom's blocks.
func blobloomAddAll(k *Kernel, hashes []uint64) {
	if k.form == formGeneric || k.probes > mostAddedProbes || len(hashes) < octet {
		fallback.BlobloomAdd(k.body, k.probes, hashes)
		return
	}
	k.raceAddAll(hashes)
	far := k.isFarForAdd256()
	for len(hashes) > 0 {
		n := addedAtOnce(len(hashes))
		blobloomAddAVX2(k, &hashes[0], n, far)
		hashes = hashes[n:]
	}
}

// splitBlockAddAll adds hashes, swapped ones if their low halves choose the blocks.
func splitBlockAddAll(k *Kernel, hashes []uint64) {
	if k.form == formGeneric || len(hashes) == 0 {
		splitBlockAddAllInGo(k, hashes)
		return
	}
	k.raceAddAll(hashes)
	far := len(k.body) >= splitAddFarFrom
	if far {
		k.prefetchFirst(hashes)
	}
	for len(hashes) > 0 {
		n, ahead := min(nearChunk, len(hashes)), 0
		if far {
			n, ahead = k.part(far, hashes)
		}
		if k.form >= form512 {
			splitBlockAddAVX512(k, &hashes[0], n, ahead)
		} else {
			splitBlockAddAVX2(k, &hashes[0], n, ahead)
		}
		hashes = hashes[n:]
	}
}
