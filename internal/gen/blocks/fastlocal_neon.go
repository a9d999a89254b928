package blocks

import (
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// FastLocalNEON emits the batch kernel for arm64, and the prefetch that other formats share.
func FastLocalNEON(f *kernel.File) {
	batchNEON(f, "fastLocalContainsBitsNEON", Powers)
	prefetchLinesNEON(f)
}

// batchNEON emits the batch kernel for arm64.
func batchNEON(f *kernel.File, name string, p Progression) {
	fn := neon.NewFunction(f, name, "func(k *Kernel, hashes *uint64, hits *uint64, n, ahead int)",
		name+" answers n hashes, a multiple of 16, a bit for each.",
		"If ahead is not 0, it prefetches the lines of hashes[i+ahead], and there are n+ahead hashes.")
	Arguments(fn, 8)
	fn.Argument(shared.NEONAhead, "ahead")
	probes := shared.NEONScratch
	fn.Field(probes, shared.NEONFilter, "Kernel", "probes", 0)
	NewNEONBatch(fn, ownBlocks{fn, p}, p).Forms(probes, 8, 16, 32)
}

// ownBlocks loads what all probes of a key look at.
type ownBlocks struct {
	fn *neon.Function
	Progression
}

func (o ownBlocks) One(key int) Lane {
	o.load(key, NEONBlocks)
	if o.Progression == cubic { // it needs both halves of the key's hash, of the two that are loaded
		o.fn.LdrQ(NEONHash, shared.NEONHashes, shared.HashBytes*(key&^1))
		return Lane{NEONHash, 1 + key%2*2}
	}
	o.fn.LdrS(NEONHash, shared.NEONHashes, shared.HashBytes*key+4)
	return Lane{NEONHash, 0}
}

func (o ownBlocks) Two(first int) [2]Lane {
	o.fn.LdrQ(NEONHash, shared.NEONHashes, shared.HashBytes*first)
	o.load(first, NEONBlocks)
	o.load(first+1, NEONBlocks+4)
	return [2]Lane{{NEONHash, 1}, {NEONHash, 3}}
}

func (o ownBlocks) load(key int, to neon.V) {
	neonBlock(o.fn, shared.NEONAt, shared.NEONBody, shared.NEONHashes, shared.HashBytes*key)
	LoadBlock(o.fn, to, shared.NEONAt)
}

// prefetchLinesNEON emits the beginning of a batch whose lines are far.
func prefetchLinesNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "prefetchLines", "func(body *byte, size uint64, hashes *uint32, n int, soon bool)",
		"prefetchLines prefetches the lines of n hashes, at least one, to the first-level cache, by the halves",
		"that choose them: hashes is the first such half.")
	fn.Argument(shared.NEONBody, "body")
	fn.Argument(shared.NEONSize, "size")
	fn.Argument(shared.NEONHashes, "hashes")
	fn.Argument(shared.NEONLeft, "n")
	fn.Label("next")
	neonBlock(fn, shared.NEONAt, shared.NEONBody, shared.NEONHashes, 0)
	fn.PrefetchL1(shared.NEONAt, 0)
	fn.PrefetchL1(shared.NEONAt, shared.LineBytes-1)
	fn.AddI(shared.NEONHashes, shared.NEONHashes, shared.HashBytes)
	fn.SubsI(shared.NEONLeft, shared.NEONLeft, 1)
	fn.Bne("next")
	fn.Return()
}
