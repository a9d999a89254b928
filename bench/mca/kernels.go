package main

import "slices"

// A kernel is one of the loops that a function has for a job.
type kernel struct {
	job      string
	function string // with its package
	form
}

// A form says which loop that is.
type form struct {
	name  string
	keys  int   // that an iteration answers
	shape shape // of this loop and of no other of the function's
	way   way   // through it
}

func (k kernel) String() string { return k.job + ", " + k.name }

// walk returns the instructions of one iteration of the kernel's loop in its function.
func (k kernel) walk(function []instruction) (loop, error) {
	l, err := loopOf(function, k.shape)
	if err != nil {
		return nil, err
	}
	return l.iteration(k.way)
}

// processors are those that LLVM has models of their own for, as llvm-mca calls them.
var processors = []string{"neoverse-n1", "neoverse-n2", "neoverse-v1", "neoverse-v2", "ampere1"}

var kernels = slices.Concat(
	// What FastLocal's kernels stand beside. The loop inside has a round for each probe.
	forms("FastLocal lookup, pure Go", "fallback.fastLocalAnswers",
		form{"k = 6", 1, shape{"mul": 2}, way{rounds: 6}},
		form{"k = 12", 1, shape{"mul": 2}, way{rounds: 12}},
	),

	// An iteration begins with branches over prefetches: over all of them, and over those of
	// the second lines of blocks that lie across two.
	forms("FastLocal lookup, NEON", "asm.fastLocalContainsBitsNEON",
		form{"k ≤ 8, near", 16, shape{"tbl": 24, "prfm": 32, "b.eq": 2}, way{taken: []int{1}}},
		form{"k ≤ 8, far", 16, shape{"tbl": 24, "prfm": 32, "b.eq": 2}, way{taken: []int{2}}},
		form{"k ≤ 16, near", 16, shape{"tbl": 32, "prfm": 32, "b.eq": 2}, way{taken: []int{1}}},
		form{"k ≤ 16, far", 16, shape{"tbl": 32, "prfm": 32, "b.eq": 2}, way{taken: []int{2}}},
		form{"k ≤ 32, near", 16, shape{"tbl": 64, "prfm": 32, "b.eq": 2}, way{taken: []int{1}}},
	),

	// The own blocks are all that most absent keys meet. Survivors go on one by one, with a
	// branch over the second eight probes.
	forms("Paired lookup, NEON, own blocks", "asm.pairedContainsOwnNEON",
		form{"k ≤ 16, near", 16, shape{"tbl": 24, "prfm": 32, "b.eq": 2}, way{taken: []int{1}}},
		form{"k ≤ 16, far", 16, shape{"tbl": 24, "prfm": 32, "b.eq": 2}, way{taken: []int{2}}},
		form{"k ≤ 32, near", 16, shape{"tbl": 32, "prfm": 32, "b.eq": 2}, way{taken: []int{1}}},
	),
	forms("Paired lookup, NEON, survivors", "asm.pairedContainsBothNEON",
		form{"k ≤ 16", 1, shape{"tbl": 6, "prfm": 0, "b.ls": 1}, way{taken: []int{1}}},
		form{"k ≤ 32", 1, shape{"tbl": 6, "prfm": 0, "b.ls": 1}, way{}},
	),

	// Behind the widening of hashes, which is pure Go, the loops are FastLocal's.
	forms("Legacy lookup, NEON", "asm.legacyContainsBitsNEON",
		form{"k ≤ 8, near", 16, shape{"tbl": 24, "prfm": 32, "b.eq": 2}, way{taken: []int{1}}},
		form{"k ≤ 8, far", 16, shape{"tbl": 24, "prfm": 32, "b.eq": 2}, way{taken: []int{2}}},
		form{"k ≤ 16, near", 16, shape{"tbl": 32, "prfm": 32, "b.eq": 2}, way{taken: []int{1}}},
	),

	// Of a key's first layer. Loops inside have a round for each slot of four keys' tails. The
	// branches around prefetches come first, then for either half of the keys one over the
	// tail and one over words of a line beyond the first.
	forms("Linear lookup, NEON", "asm.linearLayerNEON",
		form{"R = 9, near", 8, shape{"dup": 56}, way{taken: []int{1}}},
		form{"R = 9, far", 8, shape{"dup": 56}, way{taken: []int{2}}},
		form{"R = 14, near", 8, shape{"dup": 32}, way{rounds: 4, taken: []int{1, 4, 6}}},
		form{"R = 15, near", 8, shape{"dup": 32}, way{rounds: 1, taken: []int{1, 4, 6}}},
		form{"R = 21, near", 8, shape{"dup": 24, "cnt": 16}, way{taken: []int{1, 3, 5}}},
		form{"R = 21, far", 8, shape{"dup": 24, "cnt": 16}, way{taken: []int{2, 3, 5}}},
		form{"R = 28, near", 8, shape{"dup": 16}, way{rounds: 2, taken: []int{1, 4, 6}}},
	),

	// An iteration looks a key up. Inside is a loop over units of eight columns. The first branch is
	// one over prefetches.
	forms("Ribbon lookup, NEON", "asm.ribbonBatchNEON",
		form{"8 columns, near", 1, shape{"umulh": 2, "rbit": 0}, way{rounds: 1, taken: []int{1}}},
		form{"8 columns, far", 1, shape{"umulh": 2, "rbit": 0}, way{rounds: 1}},
		form{"16 columns, near", 1, shape{"umulh": 2, "rbit": 0}, way{rounds: 2, taken: []int{1}}},
	),
)

// forms returns the kernels that are in a function.
func forms(job, function string, forms ...form) []kernel {
	var kernels []kernel
	for _, f := range forms {
		kernels = append(kernels, kernel{job, function, f})
	}
	return kernels
}
