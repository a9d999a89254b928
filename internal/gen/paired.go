package main

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// paired emits the kernels that look keys up in a paired filter.
func paired(f *kernel.File) {
	newPairedEntry(f, kernel.AVX512, "pairedContainsAVX512").paired512()
	newPairedEntry(f, kernel.AVX2, "pairedContainsAVX2").paired256()
	entries(f, "pairedEntries", "pairedContainsGo", "pairedContainsAVX2", "pairedContainsAVX512", "pairedContainsAVX512")
	p := newPairedBytes(f, kernel.AVX512, "pairedMayContain", "PairedMayContain.")
	p.paired512()
	p.of32()
	p.otherwise("pairedMayContainAVX2")
	p = newPairedBytes(f, kernel.AVX2, "pairedMayContainAVX2", "where pairedMayContain continues without AVX-512.")
	p.paired256()
	p.of32()
	p.otherwise("pairedMayContainOther")
	keyInBytes(f, "pairedMayContainKey", "PairedMayContainKey of a key of up to 31 bytes.", "pairedMayContain")
	pairedBatch512(f)
	pairedBatch256(f)
}

// pairedAdding emits the kernels that build one. With those in the same file, it would have more
// than 10,000 lines.
func pairedAdding(f *kernel.File) {
	pairedAdd512(f)
	pairedAdd256(f)
	pairedCount(f, kernel.AVX512, "pairedCountAVX512", newCounter512)
	pairedCount(f, kernel.AVX2, "pairedCountAVX2", newCounter256)
}

func pairedBatch512(f *kernel.File) {
	b := newPairedBatch(f, kernel.AVX512, "pairedContainsBatchAVX512")
	b.begin(&vectors512{b.fn})
	for _, l := range layouts[:4] {
		next := fmt.Sprint("moreThan", l.probes())
		b.upTo(l.probes(), next)
		b.loops(fmt.Sprint("upTo", l.probes()), newPaired512(b, l))
		b.fn.Label(next)
	}
	b.answers(&vectors512{b.fn})
}

func pairedBatch256(f *kernel.File) {
	b := newPairedBatch(f, kernel.AVX2, "pairedContainsBatchAVX2")
	b.begin(&vectors256{b.fn})
	for rounds := 1; rounds <= 2; rounds++ {
		next := fmt.Sprint("moreThan", 8*rounds)
		b.upTo(8*rounds, next)
		b.loops(fmt.Sprint("upTo", 8*rounds), newPaired256(b, rounds))
		b.fn.Label(next)
	}
	b.answers(&vectors256{b.fn})
}
