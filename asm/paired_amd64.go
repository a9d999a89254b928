//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// From fewKeys on keys are not asked one by one: a call of the batch kernels takes 60 ns
// whatever it is asked, and an absent key alone 3.4 (AVX-512, Zen 4, 16 KiB).
const fewKeys = 2 * octet

// Contains is PairedContains.
func (f *Paired) Contains(hash uint64) bool { return pairedContains(f, hash) }

// pairedContainsGeneric is where assembly goes on when there is no kernel.
//
//lint:ignore U1000 paired_amd64.s calls it
func pairedContainsGeneric(f *Paired, hash uint64) bool {
	return fallback.PairedContains(f.body, f.batchBlocks, f.probes, hash)
}

// ContainsBatch is PairedContainsBatch.
func (f *Paired) ContainsBatch(hits, hashes []uint64) {
	checkHits(hits, hashes)
	switch {
	case f.form == formGeneric || len(hashes) == 0:
		fallback.PairedContainsBatch(hits, f.body, f.batchBlocks, f.probes, hashes)
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
				return pairedContainsBatchAVX512(f, &hits[from/64], nil, &hashes[from], n, ahead, direct)
			}
			return pairedContainsBatchAVX2(f, &hits[from/64], nil, &hashes[from], n, ahead, direct)
		})
	}
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Paired) ContainsBools(hits []bool, hashes []uint64) {
	checkBools(hits, hashes)
	switch {
	case f.form == formGeneric:
		f.boolsOfBits(hits, hashes)
	case len(hashes) < fewKeys:
		for i, hash := range hashes {
			hits[i] = f.Contains(hash)
		}
	default:
		f.answer(hashes, func(from, n, ahead int, direct bool) (found int) {
			if f.form >= form512 {
				return pairedContainsBatchAVX512(f, nil, &hits[from], &hashes[from], n, ahead, direct)
			}
			return pairedContainsBatchAVX2(f, nil, &hits[from], &hashes[from], n, ahead, direct)
		})
	}
}

// answer calls the kernel for chunks of at least eight hashes. While most keys are
// found, their own blocks need not be tested first: present keys take 2.8 ns each
// directly, and 3.4 with the quick test before (AVX-512; AVX2 3.7 and 4.8; Zen 4, k=16,
// 16 KiB).
func (f *Paired) answer(hashes []uint64, kernel func(from, n, ahead int, direct bool) (found int)) {
	direct := false
	inChunks(f.body, hashes, func(from, n, ahead int) {
		if ahead == 0 && len(f.body) >= farFrom {
			ahead = -1 // for the other blocks
		}
		direct = 8*kernel(from, n, ahead, direct) > 5*n
	})
}
