package main

import (
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
)

func fastLocalNEON(f *kernel.File) {
	batchNEON(f, "fastLocalContainsBitsNEON", powers)
	prefetchLinesNEON(f)
}

// batchNEON emits the batch kernel for arm64.
func batchNEON(f *kernel.File, name string, p progression) {
	fn := neon.NewFunction(f, name, "func(k *Kernel, hashes *uint64, hits *uint64, n, ahead int)",
		name+" answers n hashes, a multiple of 16, a bit for each.",
		"If ahead is not 0, it prefetches the lines of hashes[i+ahead], and there are n+ahead hashes.")
	arguments(fn, 8)
	fn.Argument(neonAhead, "ahead")
	probes := neonScratch
	fn.Field(probes, neonFilter, "Kernel", "blockProbes", 0)
	newNEONBatch(fn, ownBlocks{fn, p}, p).forms(probes, 8, 16, 32)
}

// ownBlocks loads what all probes of a key look at.
type ownBlocks struct {
	fn *neon.Function
	progression
}

func (o ownBlocks) one(key int) lane {
	o.load(key, neonBlocks)
	if o.progression == cubic { // it needs both halves of the key's hash, of the two that are loaded
		o.fn.LdrQ(hash, neonHashes, hashBytes*(key&^1))
		return lane{hash, 1 + key%2*2}
	}
	o.fn.LdrS(hash, neonHashes, hashBytes*key+4)
	return lane{hash, 0}
}

func (o ownBlocks) two(first int) [2]lane {
	o.fn.LdrQ(hash, neonHashes, hashBytes*first)
	o.load(first, neonBlocks)
	o.load(first+1, neonBlocks+4)
	return [2]lane{{hash, 1}, {hash, 3}}
}

func (o ownBlocks) load(key int, to neon.V) {
	neonBlock(o.fn, neonAt, neonHashes, hashBytes*key)
	loadBlock(o.fn, to, neonAt)
}

// prefetchLinesNEON emits the beginning of a batch whose lines are far.
func prefetchLinesNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "prefetchLines", "func(body *byte, size uint64, hashes *uint32, n int, soon bool)",
		"prefetchLines prefetches the lines of n hashes, at least one, to the first-level cache, by the halves",
		"that choose them: hashes is the first such half.")
	fn.Argument(neonBody, "body")
	fn.Argument(neonSize, "size")
	fn.Argument(neonHashes, "hashes")
	fn.Argument(neonLeft, "n")
	fn.Label("next")
	neonBlock(fn, neonAt, neonHashes, 0)
	fn.PrefetchL1(neonAt, 0)
	fn.PrefetchL1(neonAt, lineBytes-1)
	fn.AddI(neonHashes, neonHashes, hashBytes)
	fn.SubsI(neonLeft, neonLeft, 1)
	fn.Bne("next")
	fn.Return()
}
