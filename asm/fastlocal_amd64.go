//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func level() cpu.Level { return cpu.Current() }

func formOf(probes int) form {
	switch cpu.Current() {
	case cpu.AVX512:
		return min(form512+form(probes-1)/8, form512by32)
	case cpu.AVX2:
		return form256
	default:
		return formGeneric
	}
}

// Contains is fallback.FastLocalContains.
func (f *FastLocal) Contains(hash uint64) bool { return fastLocalContains(f, hash) }

// fastLocalContainsOther is where fastLocalContains continues without a kernel.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func fastLocalContainsOther(f *FastLocal, hash uint64) bool {
	return fallback.FastLocalContains(f.body, f.probes, hash)
}

// ContainsShared is Contains of a shared body.
func (f *FastLocal) ContainsShared(hash uint64) bool {
	if f.form != formGeneric {
		return f.Contains(hash)
	}
	return fallback.SharedFastLocalContains(f.words(), f.probes, hash)
}

// Contains is fallback.FastLocalContains.
func (f FastLocalBytes) Contains(hash uint64) bool {
	return fastLocalContainsBytes(f.body, f.size, f.probes, int(cpu.Current()), hash)
}

// fastLocalContainsOtherBytes is where fastLocalContainsBytes continues without a kernel.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func fastLocalContainsOtherBytes(body *byte, size, probes, _ int, hash uint64) bool {
	return fallback.FastLocalContains(unsafe.Slice(body, size), probes, hash)
}

// Assembly decides whether the kernels for a few keys take a batch, and otherwise
// continues in Go. Deciding here would cost the commonest form another call, 11 % for 8
// keys and 7 % for 32. Other forms would gain 5 to 10 % and 1 to 5 %, because they would
// not pass through assembly (Zen 4, 16 KiB).

// ContainsBits is fallback.FastLocalContainsBatch. hits has a bit for every hash
// and shares no memory with the hashes. Words beyond those are left alone.
func (f *FastLocal) ContainsBits(hashes, hits []uint64) { fastLocalContainsFewBits(f, hashes, hits) }

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *FastLocal) ContainsBools(hashes []uint64, hits []bool) {
	fastLocalContainsFewBools(f, hashes, hits)
}

// containsBits is where fastLocalContainsFewBits continues.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func containsBits(f *FastLocal, hashes, hits []uint64) {
	checkBits(hashes, hits)
	if f.form == formGeneric || len(hashes) == 0 {
		f.containsBatchInGo(hashes, hits)
		return
	}
	hits[(len(hashes)-1)/64] = 0 // the kernels write a byte for eight hashes
	if f.isNear(hashes) {
		if f.form >= form512 {
			fastLocalContainsBatchAVX512(f, &hashes[0], &hits[0], nil, len(hashes), 0)
		} else {
			fastLocalContainsBatchAVX2(f, &hashes[0], &hits[0], nil, len(hashes), 0)
		}
		return
	}
	inChunks(f.body, f.isFarFor(len(hashes)), hashes, func(from, n, ahead int) {
		if f.wide(ahead) {
			fastLocalContainsBatchAVX512(f, &hashes[from], &hits[from/64], nil, n, ahead)
		} else {
			fastLocalContainsBatchAVX2(f, &hashes[from], &hits[from/64], nil, n, ahead)
		}
	})
}

// containsBools is where fastLocalContainsFewBools continues.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func containsBools(f *FastLocal, hashes []uint64, hits []bool) {
	checkBools(hashes, hits)
	switch {
	case f.form == formGeneric:
		f.boolsOfBits(hashes, hits)
	case len(hashes) < octet:
		for i, hash := range hashes {
			hits[i] = f.Contains(hash)
		}
	case f.isNear(hashes) && f.form >= form512:
		fastLocalContainsBatchAVX512(f, &hashes[0], nil, &hits[0], len(hashes), 0)
	case f.isNear(hashes):
		fastLocalContainsBatchAVX2(f, &hashes[0], nil, &hits[0], len(hashes), 0)
	default:
		inChunks(f.body, f.isFarFor(len(hashes)), hashes, func(from, n, ahead int) {
			if f.wide(ahead) {
				fastLocalContainsBatchAVX512(f, &hashes[from], nil, &hits[from], n, ahead)
			} else {
				fastLocalContainsBatchAVX2(f, &hashes[from], nil, &hits[from], n, ahead)
			}
		})
	}
}

// isNear reports whether one call of a kernel answers the hashes, without prefetching.
func (f *FastLocal) isNear(hashes []uint64) bool {
	return len(hashes) <= nearChunk && !f.isFarFor(len(hashes))
}

// isFarFor reports whether lines are prefetched. AVX2 does so in smaller bodies, too, if
// there are enough hashes to prefetch ahead of others.
func (f *FastLocal) isFarFor(hashes int) bool {
	if f.form < form512 && hashes >= ahead+64 {
		return len(f.body) >= farFromAVX2
	}
	return isFar(f.body)
}

// fewSizes returns how many sizes of batches, from eight keys on, the kernels for a
// few keys take: up to 64 keys, or fewer if their lines are far.
func fewSizes(f form, body []byte) int {
	switch {
	case f != form512:
		return 0
	case isFar(body):
		return mostFewFar - (octet - 1)
	default:
		return 64 - (octet - 1)
	}
}

// wide reports whether AVX-512 is to be used.
//
// While most lines come from memory, up to 16 probes are faster in AVX2: loading
// 32 bytes twice takes 2.8 ns at 32 MiB and 3.6 at 64 MiB where loading 64 at once
// takes 3.3 and 4.2 (Zen 4, k=6). At 8 MiB AVX2 is 2 to 9 % faster for blocks that lie
// across two lines, and only it has loops for them.
func (f *FastLocal) wide(ahead int) bool {
	return f.form == form512by32 ||
		f.form >= form512 && (ahead == 0 || len(f.body) < memoryFrom && f.isAligned())
}

// isAligned reports whether blocks are cache lines.
func (f *FastLocal) isAligned() bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(f.body)))%BlockBytes == 0
}
