// Package paired emits the kernels of paired filters, whose keys have their bits in two blocks.
package paired

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/gen/blocks"
	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Lookups emits the kernels that look keys up in a paired filter.
func Lookups(f *kernel.File) {
	newEntry(f, kernel.AVX512, "pairedContainsAVX512").paired512()
	newEntry(f, kernel.AVX2, "pairedContainsAVX2").paired256()
	shared.Functions{
		Go: "pairedContainsGo", AVX2: "pairedContainsAVX2", Eight: "pairedContainsAVX512", More: "pairedContainsAVX512",
		Batch: "pairedBatch", InGo: "pairedBitsInGo",
	}.Define(f, "pairedFunctions")
	p := newBytes(f, kernel.AVX512, "pairedMayContain", "PairedMayContain.")
	p.paired512()
	p.of32()
	p.Otherwise("pairedMayContainAVX2")
	p = newBytes(f, kernel.AVX2, "pairedMayContainAVX2", "where pairedMayContain continues without AVX-512.")
	p.paired256()
	p.of32()
	p.Otherwise("pairedMayContainOther")
	keyInBytes(f, "pairedMayContainKey", "PairedMayContainKey of a key of up to 31 bytes.", hash.ShortXX64)
	keyInBytes(f, "pairedMayContainKeyXXPH3", "PairedMayContainKeyXXPH3 of a key of 4 to 32 bytes.", hash.ShortXXPH3)
	batch512(f)
	batch256(f)
}

// Add emits the kernels that build one. With those in the same file, it would have more
// than 10,000 lines.
func Add(f *kernel.File) {
	add512(f)
	add256(f)
	count(f)
}

func batch512(f *kernel.File) {
	b := newBatch(f, kernel.AVX512, "pairedContainsBatchAVX512")
	b.begin(&vectors512{b.Fn})
	for _, l := range blocks.Layouts[:4] {
		next := fmt.Sprint("moreThan", l.Probes())
		b.UpTo(l.Probes(), next)
		b.loops(fmt.Sprint("upTo", l.Probes()), newPaired512(b, l))
		b.Fn.Label(next)
	}
	b.answers(&vectors512{b.Fn})
}

func batch256(f *kernel.File) {
	b := newBatch(f, kernel.AVX2, "pairedContainsBatchAVX2")
	b.begin(&vectors256{b.Fn})
	for rounds := 1; rounds <= 2; rounds++ {
		next := fmt.Sprint("moreThan", 8*rounds)
		b.UpTo(8*rounds, next)
		b.loops(fmt.Sprint("upTo", 8*rounds), newPaired256(b, rounds))
		b.Fn.Label(next)
	}
	b.answers(&vectors256{b.Fn})
}
