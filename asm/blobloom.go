package asm

import (
	"fmt"
	"runtime"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/tables"
)

// MostBlobloomProbes is the largest number of different probes that blobloom's filters have.
const MostBlobloomProbes = fallback.MostBlobloomProbes

// blobloomCubes has, for every number of probes, the kernels' factors: i*2^14 + (i^3-i)/6*2^23 for probe i,
// from 1 on. Probe 1 is repeated where a vector has room for more probes than there are. (internal/gen's cubic
// says why.)
var blobloomCubes tables.Table[probeRows]

func fillBlobloomCubes(rows *probeRows) {
	const shift = 32 - 9
	for probes := range rows {
		for n := range rows[probes] {
			i := uint32(1)
			if n < probes {
				i = uint32(n + 1)
			}
			rows[probes][n] = i<<(shift-9) + (i*i*i-i)/6<<shift
		}
	}
}

// NewBlobloom returns the filter with the given body, whole blocks, at least one, and the number of probes,
// which is one less than blobloom's k, and 1 to MostBlobloomProbes. Up to MaxProbes have kernels.
func NewBlobloom(body []byte, probes int) Kernel {
	checkBody(body, BlockBytes)
	if uint(probes-1) >= MostBlobloomProbes {
		panic(fmt.Sprintf("asm: probes must be 1 to %d, not %d", MostBlobloomProbes, probes))
	}
	k := Kernel{body: body, format: Blobloom, probes: probes, prefetchable: true}
	if probes <= MaxProbes {
		k.form, k.multipliers = formOf(probes), &blobloomCubes.Of(fillBlobloomCubes)[probes]
		k.eight = [8]uint32(k.multipliers[:8])
	}
	k.inlined, k.oneByOneMax = inlinedOf(Blobloom, k.form, body, probes), oneByOneMaxOf(Blobloom, k.form, body)
	k.use(&blobloomFunctions)
	return k
}

// NewSharedBlobloom is NewBlobloom of a body that several goroutines add to and query at once: see
// [NewSharedFastLocal].
func NewSharedBlobloom(body []byte, probes int) Kernel {
	k := NewBlobloom(body, probes)
	k.share(&sharedBlobloomFunctions)
	return k
}

// BlobloomAdd is [fallback.BlobloomAdd].
func BlobloomAdd(body []byte, probes int, hashes []uint64) {
	k := NewBlobloom(body, probes)
	blobloomAddAll(&k, hashes)
}

func blobloomContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	found = fallback.BlobloomContains(k.body, k.probes, hash)
	runtime.KeepAlive(k)
	return 0, found
}

func sharedBlobloomContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	return 0, fallback.SharedBlobloomContains(k.words(), k.probes, hash)
}

func blobloomBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.BlobloomContainsBatch(k.body, k.probes, hashes, hits)
	runtime.KeepAlive(k)
}

func sharedBlobloomBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.SharedBlobloomContainsBatch(k.words(), k.probes, hashes, hits)
}

func blobloomAddInGo(k *Kernel, hash uint64) { fallback.BlobloomAddKey(k.body, k.probes, hash) }

func blobloomAddIfAbsentInGo(k *Kernel, hash uint64) bool {
	return fallback.BlobloomAddKey(k.body, k.probes, hash)
}

func sharedBlobloomAdd(k *Kernel, hash uint64) {
	fallback.SharedBlobloomAdd(k.words(), k.probes, hash)
}

func sharedBlobloomAddIfAbsent(k *Kernel, hash uint64) bool {
	return fallback.SharedBlobloomAdd(k.words(), k.probes, hash)
}
