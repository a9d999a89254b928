//go:build !purego

package asm

import (
	"math/bits"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/fallback"
)

// Add is fallback.FastLocalAddKey.
func (f *FastLocal) Add(hash uint64) { fastLocalAddKey(f, hash) }

// fastLocalAddOther is where fastLocalAddKey continues without a kernel.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func fastLocalAddOther(f *FastLocal, hash uint64) { fallback.FastLocalAddKey(f.body, f.probes, hash) }

// AddIfAbsent is fallback.FastLocalAddIfAbsent.
func (f *FastLocal) AddIfAbsent(hash uint64) bool { return fastLocalAddIfAbsent(f, hash) }

// fastLocalAddIfAbsentOther is where fastLocalAddIfAbsent continues without a kernel.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func fastLocalAddIfAbsentOther(f *FastLocal, hash uint64) bool {
	return fallback.FastLocalAddIfAbsent(f.body, f.probes, hash)
}

// A kernel gathers the bits that a key's block lacks in words, and each of these takes one atomic
// operation. These are fewer than probes, and take most of the time.

// AddShared is Add in a shared body.
func (f *FastLocal) AddShared(hash uint64) {
	if f.form == formGeneric {
		fallback.SharedFastLocalAdd(f.words(), f.probes, hash)
		return
	}
	l, missing := fallback.LineAt(f.words(), hash), [fallback.BlockBytes / 8]uint64{}
	for words := fastLocalMissing(f, hash, &missing); words != 0; words &= words - 1 {
		i := bits.TrailingZeros64(words) % len(l)
		atomic.OrUint64(&l[i], missing[i])
	}
}

// AddIfAbsentShared is AddIfAbsent in a shared body. It reports whether this call set a bit.
func (f *FastLocal) AddIfAbsentShared(hash uint64) bool {
	if f.form == formGeneric {
		return fallback.SharedFastLocalAddIfAbsent(f.words(), f.probes, hash)
	}
	l, missing, set := fallback.LineAt(f.words(), hash), [fallback.BlockBytes / 8]uint64{}, uint64(0)
	for words := fastLocalMissing(f, hash, &missing); words != 0; words &= words - 1 {
		i := bits.TrailingZeros64(words) % len(l)
		set |= missing[i] &^ atomic.OrUint64(&l[i], missing[i])
	}
	return set != 0
}

func (f *FastLocal) addAll(hashes []uint64) {
	if f.form == formGeneric {
		fallback.FastLocalAdd(f.body, f.probes, hashes)
		return
	}
	if len(hashes) < octet {
		for _, hash := range hashes {
			f.Add(hash)
		}
		return
	}
	far := f.isFarForAdding()
	for len(hashes) > 0 {
		n := addedAtOnce(len(hashes))
		if f.form >= form512 {
			fastLocalAddAVX512(f, &hashes[0], n, far)
		} else {
			fastLocalAddAVX2(f, &hashes[0], n, far)
		}
		hashes = hashes[n:]
	}
}
