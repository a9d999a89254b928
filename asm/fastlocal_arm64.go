//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/cpu"

// Only batches of lookups have kernels. By llvm-mca, NEON would gain nothing elsewhere:
//
//   - A single lookup is a chain of dependent instructions: at k=6 it takes 30 to 33 cycles
//     and ten for the call of assembly, where pure Go takes 26 (Neoverse N1, V1, V2).
//   - Adding has to find each probe's bit in four vectors, with 14 vector instructions a
//     probe. With four vector units, six probes take 21 cycles; pure Go takes 13. With two
//     units (N1) it is 42 and 25.
//   - Counting and partitioning are loads and stores.

// formNEON is the form of all filters: the kernels choose by the number of probes.
const formNEON = form512by32 + 1

func level() cpu.Level { return cpu.Current() }

func formOf(int) form {
	if cpu.Current() == cpu.NEON {
		return formNEON
	}
	return formGeneric
}

// neonKeys are answered together by the kernels.
const neonKeys = 16

// ContainsBits is fallback.FastLocalContainsBatch. hits has a bit for every hash
// and shares no memory with the hashes. Words beyond those are left alone.
func (f *FastLocal) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	if f.form == formGeneric {
		f.containsBatchInGo(hashes, hits)
		return
	}
	whole := inSixteens(f.body, hashes, hits, func(from, n, ahead int) {
		fastLocalContainsBitsNEON(f, &hashes[from], &hits[from/64], n, ahead)
	})
	if whole < len(hashes) {
		var rest [1]uint64
		f.containsBatchInGo(hashes[whole:], rest[:])
		hits[whole/64] |= rest[0] << (whole % 64)
	}
}

// inSixteens calls answer for stretches of hashes that begin at multiples of 64 and are
// whole sixteens. It returns how many hashes those are in all, and sets the answers of the
// others to zero.
func inSixteens(body []byte, hashes, hits []uint64, answer func(from, n, ahead int)) (whole int) {
	if len(hashes) > 0 {
		hits[(len(hashes)-1)/64] = 0 // kernels write two bytes for 16 hashes
	}
	whole = len(hashes) &^ (neonKeys - 1)
	if whole > 0 {
		inChunks(body, isFar(body), hashes[:whole], answer)
	}
	return whole
}
