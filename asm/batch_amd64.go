//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// fewSizes returns how many sizes of batches, from eight keys on, are for the
// kernels for a few: up to 64 keys, or 15 if their lines are far, because more are
// better prefetched all at once (64 keys at 64 MiB: 6.2 ns each and not 9.3, 16
// 10.4 and not 10.6, but eight 14.5 and not 11.5).
func fewSizes(f form, bodyBytes int) int {
	switch {
	case f != form512:
		return 0
	case bodyBytes >= farFrom:
		return 15 - 7
	default:
		return 64 - 7
	}
}

// ContainsBatch is FastLocalContainsBatch.
func (f *FastLocal) ContainsBatch(hits, hashes []uint64) { fastLocalContainsFewBits(f, hits, hashes) }

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *FastLocal) ContainsBools(hits []bool, hashes []uint64) {
	fastLocalContainsFewBools(f, hits, hashes)
}

// containsBits is where fastLocalContainsFewBits goes on.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func containsBits(f *FastLocal, hits, hashes []uint64) {
	checkHits(hits, hashes)
	if f.form == formGeneric || len(hashes) == 0 {
		fallback.FastLocalContainsBatch(hits, f.body, f.probes, hashes)
		return
	}
	hits[(len(hashes)-1)/64] = 0 // the kernels write a byte for eight hashes
	inChunks(f.body, hashes, func(from, n, ahead int) {
		if f.wide(ahead) {
			fastLocalContainsBitsAVX512(f, &hits[from/64], &hashes[from], n, ahead)
		} else {
			fastLocalContainsBitsAVX2(f, &hits[from/64], &hashes[from], n, ahead)
		}
	})
}

// containsBools is where fastLocalContainsFewBools goes on.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func containsBools(f *FastLocal, hits []bool, hashes []uint64) {
	checkBools(hits, hashes)
	switch {
	case f.form == formGeneric:
		f.boolsOfBits(hits, hashes)
	case len(hashes) < octet:
		for i, hash := range hashes {
			hits[i] = f.Contains(hash)
		}
	default:
		inChunks(f.body, hashes, func(from, n, ahead int) {
			if f.wide(ahead) {
				fastLocalContainsBoolsAVX512(f, &hits[from], &hashes[from], n, ahead)
			} else {
				fastLocalContainsBoolsAVX2(f, &hits[from], &hashes[from], n, ahead)
			}
		})
	}
}

// wide reports whether AVX-512 is to be taken.
//
// While most lines come from memory, up to 16 probes are faster in AVX2: loading
// 32 bytes twice costs 2.8 ns at 32 MiB and 3.6 at 64 MiB where loading 64 at once
// takes 3.3 and 4.2 (Zen 4, k=6; at k=12 3.1 and 3.3, 3.3 and 4.3).
func (f *FastLocal) wide(ahead int) bool {
	return f.form == form512by32 || f.form >= form512 && (ahead == 0 || len(f.body) < memoryFrom)
}
