//go:build !amd64 || purego

package asm

import (
	"github.com/simdbloom/simdbloom/fallback"
)

// An entry is the function that looks one key up. The first result is unused: assembly of amd64 needs the room.
type entry = func(k *Kernel, hash uint64) (_ uint64, found bool)

// A row is the functions of a format.
type row struct {
	contains entry
	bitsInGo func(k *Kernel, hashes, hits []uint64)
}

type functions = row

var (
	inGoFunctions            = row{containsByFormat, bitsByFormat}
	fastLocalFunctions       = row{fastLocalContainsGo, fastLocalBitsInGo}
	sharedFastLocalFunctions = row{sharedFastLocalContainsGo, sharedFastLocalBitsInGo}
	pairedFunctions          = row{pairedContainsGo, pairedBitsInGo}
	pairedEitherFunctions    = row{pairedEitherContainsGo, pairedEitherBitsInGo}
	linearFunctions          = row{linearContainsGo, linearBitsInGo}
	linearNearFunctions      = linearFunctions
	ribbonFunctions          = row{ribbonContainsGo, ribbonBitsInGo}
	legacyFunctions          = row{legacyContainsGo, legacyBitsInGo}
	levelDBFunctions         = row{levelDBContainsGo, levelDBBitsInGo}

	splitBlockFunctions       = row{splitBlockContainsGo, splitBlockBitsInGo}
	sharedSplitBlockFunctions = row{sharedSplitBlockContainsGo, sharedSplitBlockBitsInGo}
	blobloomFunctions         = row{blobloomContainsGo, blobloomBitsInGo}
	sharedBlobloomFunctions   = row{sharedBlobloomContainsGo, sharedBlobloomBitsInGo}
)

// use chooses the functions of a format.
func (k *Kernel) use(f *functions) { k.entry, k.row = f.contains, f }

// bitsInGo is ContainsBits without kernels.
func bitsInGo(k *Kernel, hashes, hits []uint64) {
	k.row.bitsInGo(hidden(k), hiddenSlice(hashes), hiddenSlice(hits))
}

// adding is the functions that add keys to a body.
type adder struct {
	add         func(k *Kernel, hash uint64)
	addIfAbsent func(k *Kernel, hash uint64) bool
}

type adders = adder

var (
	inGoAdders       = adder{addByFormat, addIfAbsentByFormat}
	fastLocalAdders  = adder{fastLocalAddInGo, fastLocalAddIfAbsentInGo}
	splitBlockAdders = adder{splitBlockAddInGo, splitBlockAddIfAbsentInGo}
	blobloomAdders   = adder{blobloomAddInGo, blobloomAddIfAbsentInGo}

	sharedFastLocalAdders, sharedBlobloomAdders adder // without kernels: Go adds to shared bodies
)

func (k *Kernel) setAdder(a *adders) { k.adder = a }

func add(k *Kernel, hash uint64) {
	k.formatAdder()
	k.adder.add(hidden(k), hash)
}

func addIfAbsent(k *Kernel, hash uint64) (absent bool, _ struct{}) {
	k.formatAdder()
	return k.adder.addIfAbsent(hidden(k), hash), struct{}{}
}

func splitBlockAddAll(k *Kernel, hashes []uint64) { splitBlockAddAllInGo(k, hashes) }
func blobloomAddAll(k *Kernel, hashes []uint64)   { fallback.BlobloomAdd(k.body, k.probes, hashes) }

// AddFastLocal is AddAll of a FastLocal body that is not shared, of a Kernel that may have been made for lookups.
func (k *Kernel) AddFastLocal(hashes []uint64) { fallback.FastLocalAdd(k.body, k.probes, hashes) }

// AddShared is Add in a shared body.
func (k *Kernel) AddShared(hash uint64) {
	k.formatAdder().addShared(hidden(k), hash)
}

// AddIfAbsentShared is AddIfAbsent in a shared body. It reports whether this call set a bit.
func (k *Kernel) AddIfAbsentShared(hash uint64) bool {
	return k.formatAdder().addIfAbsentShared(hidden(k), hash)
}
