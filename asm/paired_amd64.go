//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

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
	case len(hashes) < octet:
		var word uint64
		for i, hash := range hashes {
			if f.Contains(hash) {
				word |= 1 << i
			}
		}
		hits[0] = word
	default:
		f.inChunks(hashes, func(from, n, ahead int, direct bool) (found int) {
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
	case len(hashes) < octet:
		for i, hash := range hashes {
			hits[i] = f.Contains(hash)
		}
	default:
		f.inChunks(hashes, func(from, n, ahead int, direct bool) (found int) {
			if f.form >= form512 {
				return pairedContainsBatchAVX512(f, nil, &hits[from], &hashes[from], n, ahead, direct)
			}
			return pairedContainsBatchAVX2(f, nil, &hits[from], &hashes[from], n, ahead, direct)
		})
	}
}

// inChunks calls answer for stretches of eight hashes and more, which begin at
// multiples of 64, and prefetches what answer is not to. While most keys are found
// their own blocks need not be tested first: directly takes 2.0 ns a key, and the
// quick test 1.1 before the same (Zen 4, k=16).
func (f *Paired) inChunks(hashes []uint64, answer func(from, n, ahead int, direct bool) (found int)) {
	from, direct := 0, false
	next := func(n, ahead int) {
		direct = 8*answer(from, n, ahead, direct) > 5*n
		from += n
	}
	if len(f.body) >= farFrom {
		f.prefetch(hashes[:min(ahead, len(hashes))])
		for len(hashes)-from >= ahead+64 {
			next(min(chunk, (len(hashes)-from-ahead)&^63), ahead)
		}
		if len(hashes)-from > ahead {
			f.prefetch(hashes[from+ahead:])
		}
	}
	for from < len(hashes) {
		n := min(chunk, len(hashes)-from)
		if left := len(hashes) - from - n; left > 0 && left < octet {
			n -= 64
		}
		next(n, 0)
	}
}

func (f *Paired) prefetch(hashes []uint64) {
	prefetchLines(&f.body[0], uint64(len(f.body)), &hashes[0], len(hashes))
}
