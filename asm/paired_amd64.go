//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// Below fewKeys keys are looked up one by one: a call of the batch kernels takes 60 ns
// at least, and one absent key 3.4 (AVX-512, Zen 4, 16 KiB).
const fewKeys = 2 * octet

// Contains is fallback.PairedContains.
func (f *Paired) Contains(hash uint64) bool { return pairedContains(f, hash) }

// pairedContainsOther is where pairedContains continues without a kernel.
//
//lint:ignore U1000 paired_amd64.s calls it
func pairedContainsOther(f *Paired, hash uint64) bool {
	return fallback.PairedContains(f.body, f.batchBlocks, f.probes, hash)
}

// Contains is fallback.PairedContains.
func (f PairedBytes) Contains(hash uint64) bool {
	return pairedContainsBytes(f.body, f.size, f.batchBlocks, f.probes, int(cpu.Current()), hash)
}

// pairedContainsOtherBytes is where pairedContainsBytes continues without a kernel.
//
//lint:ignore U1000 paired_amd64.s calls it
func pairedContainsOtherBytes(body *byte, size, batchBlocks, probes, _ int, hash uint64) bool {
	return fallback.PairedContains(unsafe.Slice(body, size), batchBlocks, probes, hash)
}

// ContainsBits is fallback.PairedContainsBatch. hits has a bit for every hash and
// shares no memory with the hashes. Words beyond those are left alone.
func (f *Paired) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	switch {
	case f.form == formGeneric || len(hashes) == 0:
		fallback.PairedContainsBatch(f.body, f.batchBlocks, f.probes, hashes, hits)
	case len(hashes) < fewKeys:
		var word uint64
		for i, hash := range hashes {
			if f.Contains(hash) {
				word |= 1 << i
			}
		}
		hits[0] = word
	default:
		f.answer(hashes, func(from, n, ahead int, direct bool) (found int) {
			if f.form >= form512 {
				return pairedContainsBatchAVX512(f, &hashes[from], &hits[from/64], nil, n, ahead, direct)
			}
			return pairedContainsBatchAVX2(f, &hashes[from], &hits[from/64], nil, n, ahead, direct)
		})
	}
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Paired) ContainsBools(hashes []uint64, hits []bool) {
	checkBools(hashes, hits)
	switch {
	case f.form == formGeneric:
		f.boolsOfBits(hashes, hits)
	case len(hashes) < fewKeys:
		for i, hash := range hashes {
			hits[i] = f.Contains(hash)
		}
	default:
		f.answer(hashes, func(from, n, ahead int, direct bool) (found int) {
			if f.form >= form512 {
				return pairedContainsBatchAVX512(f, &hashes[from], nil, &hits[from], n, ahead, direct)
			}
			return pairedContainsBatchAVX2(f, &hashes[from], nil, &hits[from], n, ahead, direct)
		})
	}
}

// answer calls the kernel for chunks of at least eight hashes. While most keys are found,
// the kernel skips the quick test of their own blocks, which makes present keys about 20 %
// slower.
func (f *Paired) answer(hashes []uint64, kernel func(from, n, ahead int, direct bool) (found int)) {
	far, direct := isFar(f.body), false
	inChunks(f.body, far, hashes, func(from, n, ahead int) {
		if ahead == 0 && far {
			ahead = -1 // for the other blocks
		}
		direct = 8*kernel(from, n, ahead, direct) > 5*n
	})
}
