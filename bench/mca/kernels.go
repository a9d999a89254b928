package main

import "slices"

// A kernel is one of the loops that a function has for a job.
type kernel struct {
	job      string
	function string // with its package
	form
}

// A form selects the loop.
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

// An iteration over 16 keys of blocks begins with a branch over prefetches. Inside are a loop over four prefetches, a
// branch over that of second lines and one back to it, and a loop over four keys.
var (
	near, far           = way{1: 1, 5: 3}, way{2: 3, 3: 1, 5: 3}
	nearShort, farShort = way{1: 1, 5: 1}, way{2: 1, 3: 1, 5: 1} // both of eight
)

var kernels = slices.Concat(
	// What FastLocal's kernels stand beside. The loop inside has a round for each probe.
	forms("FastLocal lookup, pure Go", "fallback.fastLocalAnswers",
		form{"k = 6", 1, shape{"mul": 2}, way{1: 6}},
		form{"k = 12", 1, shape{"mul": 2}, way{1: 12}},
	),

	forms("FastLocal lookup, NEON", "asm.fastLocalContainsBitsNEON.abi0",
		form{"k ≤ 8, near", 16, shape{"tbl": 12, "prfm": 8}, nearShort},
		form{"k ≤ 8, far", 16, shape{"tbl": 12, "prfm": 8}, farShort},
		form{"k ≤ 16, near", 16, shape{"tbl": 8, "prfm": 4}, near},
		form{"k ≤ 16, far", 16, shape{"tbl": 8, "prfm": 4}, far},
		form{"k ≤ 32, near", 16, shape{"tbl": 16, "prfm": 4}, near},
	),

	// The own blocks are all that most absent keys meet. Survivors go on one by one, with a
	// branch over the second eight probes.
	forms("Paired lookup, NEON, own blocks", "asm.pairedContainsOwnNEON.abi0",
		form{"k ≤ 16, near", 16, shape{"tbl": 6, "prfm": 4}, near},
		form{"k ≤ 16, far", 16, shape{"tbl": 6, "prfm": 4}, far},
		form{"k ≤ 32, near", 16, shape{"tbl": 8, "prfm": 4}, near},
	),
	forms("Paired lookup, NEON, survivors", "asm.pairedContainsBothNEON.abi0",
		form{"k ≤ 16", 1, shape{"tbl": 6, "prfm": 0, "b.ls": 1}, way{1: 1}},
		form{"k ≤ 32", 1, shape{"tbl": 6, "prfm": 0, "b.ls": 1}, way{}},
	),

	// Behind the widening of hashes, which is pure Go, the loops are FastLocal's.
	forms("Legacy lookup, NEON", "asm.legacyContainsBitsNEON.abi0",
		form{"k ≤ 8, near", 16, shape{"tbl": 12, "prfm": 8}, nearShort},
		form{"k ≤ 8, far", 16, shape{"tbl": 12, "prfm": 8}, farShort},
		form{"k ≤ 16, near", 16, shape{"tbl": 8, "prfm": 4}, near},
	),

	forms("SplitBlock lookup, NEON", "asm.splitBlockContainsBitsNEON.abi0",
		form{"near", 16, shape{"cmtst": 16, "prfm": 8}, nearShort},
		form{"far", 16, shape{"cmtst": 16, "prfm": 8}, farShort},
	),

	// Inside the loop over octets are one over pairs of keys for each number of planes, of which the first branches
	// choose, and loops over slots and words of the tail.
	forms("Linear lookup, NEON, headers", "asm.linearContainsBitsNEON.abi0",
		form{"first layer", 1, shape{"ccmp": 1, "eor": 1}, way{}},
		form{"further layers", 1, shape{"ccmp": 1, "ror": 1, "subs": 1}, way{}},
	),
	forms("Linear lookup, NEON, lines", "asm.linearContainsBitsNEON.abi0",
		form{"R = 8", 8, shape{"ld4": 2, "stp": 2}, way{1: 1, 3: 1, 5: 1, 7: 1, 9: 1, 11: 1, 13: 3, 14: 1, 17: 1}},
		form{"R = 9", 8, shape{"ld4": 2, "stp": 2}, way{1: 1, 3: 1, 5: 1, 7: 1, 9: 1, 12: 3, 14: 1, 17: 1}},
		form{"R = 14", 8, shape{"ld4": 2, "stp": 2}, way{1: 1, 3: 1, 6: 3, 15: 3, 16: 0, 17: 1}},
		form{"R = 16", 8, shape{"ld4": 2, "stp": 2}, way{1: 1, 3: 1, 6: 3, 14: 1, 17: 1}},
		form{"R = 21", 8, shape{"ld4": 2, "stp": 2}, way{1: 1, 4: 3, 14: 1}},
		form{"R = 28", 8, shape{"ld4": 2, "stp": 2}, way{2: 3, 15: 1, 16: 0}},
	),

	// An iteration looks a key up. Inside is a loop over units of eight columns. The first branch is
	// one over prefetches.
	forms("Ribbon lookup, NEON", "asm.ribbonBatchNEON.abi0",
		form{"8 columns, near", 1, shape{"umulh": 2, "rbit": 0}, way{1: 1, 3: 0}},
		form{"8 columns, far", 1, shape{"umulh": 2, "rbit": 0}, way{3: 0}},
		form{"16 columns, near", 1, shape{"umulh": 2, "rbit": 0}, way{1: 1, 3: 1}},
	),

	// A line of 512 columns, without those that are hits. Inside is a loop over rows.
	forms("Sliced lookup, NEON", "asm.slicedHitsNEON.abi0", form{"a line of 6 rows", 1, shape{"addp": 3, "rbit": 0}, way{1: 5}}),
)

// forms returns the kernels that are in a function.
func forms(job, function string, forms ...form) []kernel {
	var kernels []kernel
	for _, f := range forms {
		kernels = append(kernels, kernel{job, function, f})
	}
	return kernels
}
