//go:build !purego

package asm

import (
	"math/bits"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/fallback"
)

// Add sets the bits of a hash.
func (k *Kernel) Add(hash uint64) {
	k.addsOne(hash)
	fastLocalAddKey(k, hash)
}

// AddIfAbsent is Add, and reports whether it set any bit.
func (k *Kernel) AddIfAbsent(hash uint64) bool {
	k.addsOne(hash)
	return fastLocalAddIfAbsent(k, hash)
}

// A kernel gathers the bits that a key's block lacks in words, and each of these takes one atomic
// operation. These are fewer than probes, and take most of the time.

// AddShared is Add in a shared body.
func (k *Kernel) AddShared(hash uint64) {
	if !k.findsMissing() {
		k.addSharedInGo(hash)
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
		return k.addIfAbsentSharedInGo(hash)
	}
	l, missing, set := fallback.LineAt(k.words(), hash), [fallback.BlockBytes / 8]uint64{}, uint64(0)
	for words := missingBits(k, hash, &missing); words != 0; words &= words - 1 {
		i := bits.TrailingZeros64(words) % len(l)
		set |= missing[i] &^ atomic.OrUint64(&l[i], missing[i])
	}
	return set != 0
}

// findsMissing reports whether missingBits has a kernel for the filter.
func (k *Kernel) findsMissing() bool { return k.adds != addsInGo && k.adds != addsSplitBlock }

func (k *Kernel) addAll(hashes []uint64) {
	switch {
	case k.format == Blobloom:
		k.addBlobloom(hashes)
		return
	case k.adds == addsInGo:
		k.addAllInGo(hashes)
		return
	case k.adds == addsSplitBlock:
		k.addSplitBlocks(hashes)
		return
	}
	if len(hashes) < octet {
		for _, hash := range hashes {
			k.Add(hash)
		}
		return
	}
	k.addsAll(hashes)
	far := k.isFarForAdding()
	for len(hashes) > 0 {
		n := addedAtOnce(len(hashes))
		if k.form >= form512 {
			fastLocalAddAVX512(k, &hashes[0], n, far)
		} else {
			fastLocalAddAVX2(k, &hashes[0], n, far)
		}
		hashes = hashes[n:]
	}
}
