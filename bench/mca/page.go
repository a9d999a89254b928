package main

import (
	"fmt"
	"runtime"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
)

// page returns bench/mca.md.
func page(tools llvm, estimates []estimate) []byte {
	t := markdown.New(append([]string{"loop", "instructions"}, processors...)...)
	for i, k := range kernels {
		cells := []string{k.String(), fmt.Sprintf("%.1f", estimates[i].instructions)}
		for _, cycles := range estimates[i].cycles {
			cells = append(cells, fmt.Sprintf("%.1f", cycles))
		}
		t.Add(cells...)
	}
	return fmt.Appendf(nil, `# Estimates for arm64

Written by `+"`make mca`"+` with LLVM %s and %s. Do not edit.

**Nothing here was measured.** llvm-mca simulates a processor's units, and how many cycles each instruction takes in them. It knows no
caches (a load finds its line in the first one, a prefetch is a load), predicts all branches, and decodes without limit. It tells how
two loops compare better than it tells nanoseconds. One mistake of LLVM is corrected: its models of Neoverse N1 and V1 take a
multiplication by an element of a vector for something simpler than it is.

A loop is taken from a program for linux (GOARM64=v8.0), and runs over and over. "Near" is without prefetches of the filter's lines,
"far" with them. The table has instructions and cycles for a key. Pure Go stands first. Paired's own blocks are all that most absent keys
meet, and survivors go on one by one. R is the length of Linear's fingerprints in bits: a key takes a header for each of its layers, which
are 1.2 to 1.3, and then a line. Linear's loops prefetch lines in any case.

%s`, tools.version, runtime.Version(), t)
}
