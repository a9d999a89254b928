//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

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
