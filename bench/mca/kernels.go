package main

import (
	"slices"
	"strings"
)

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

// A processor is one that LLVM has a model of its own for.
type processor struct {
	name, cpu string // as people say, and as llvm-mca does
	units     string // what LLVM's names of its units begin with
	lacks     string // a level in the names of functions that it does not run, if any
}

func (p processor) runs(k kernel) bool {
	return p.lacks == "" || !strings.Contains(k.function, p.lacks)
}

type architecture struct {
	name, triple string // Go's name, and LLVM's
	processors   []processor
	kernels      []kernel
}

// functions returns those of the kernels, each once.
func (a architecture) functions() (names []string) {
	for _, k := range a.kernels {
		if !slices.Contains(names, k.function) {
			names = append(names, k.function)
		}
	}
	return names
}

var architectures = []architecture{{
	name: "arm64", triple: "aarch64",
	processors: []processor{
		{name: "Neoverse N1", cpu: "neoverse-n1", units: "N1Unit"},
		{name: "Neoverse N2", cpu: "neoverse-n2", units: "N2Unit"},
		{name: "Neoverse V1", cpu: "neoverse-v1", units: "V1Unit"},
		{name: "Neoverse V2", cpu: "neoverse-v2", units: "V2Unit"},
		{name: "Ampere 1", cpu: "ampere1", units: "Ampere1Unit"},
	},
	kernels: slices.Concat(
		plainGo(shape{"mul": 2}),

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
	),
}, {
	name: "amd64", triple: "x86_64",
	processors: []processor{
		{name: "Skylake-X", cpu: "skylake-avx512", units: "SKX", lacks: "AVX512"},
		{name: "Ice Lake", cpu: "icelake-server", units: "ICX"},
		{name: "Sapphire Rapids", cpu: "sapphirerapids", units: "SPR"},
		{name: "Zen 4", cpu: "znver4", units: "Zn4"},
	},
	kernels: slices.Concat(
		plainGo(shape{"imull": 1, "imulq": 1}),

		// An iteration answers 64 keys in bits, and does not take the branch to bools. The loop
		// inside takes 16 keys in a round, or 8. Every shape counts the prefetch of memory for
		// bools. The far loops are those for blocks that are cache lines.
		forms("FastLocal lookup, AVX2", "asm.fastLocalContainsBatchAVX2",
			form{"k ≤ 8, near", 64, shape{"vpmulld": 16, "vpcmpeqb": 2, "prefetcht0": 1}, way{rounds: 4}},
			form{"k ≤ 8, far", 64, shape{"vpmulld": 8, "vpcmpeqb": 2, "prefetcht0": 9}, way{rounds: 8}},
			form{"k ≤ 16, near", 64, shape{"vpmulld": 32, "vpcmpeqb": 2, "prefetcht0": 1}, way{rounds: 4}},
			form{"k ≤ 16, far", 64, shape{"vpmulld": 16, "vpcmpeqb": 2, "prefetcht0": 9}, way{rounds: 8}},
		),
		forms("FastLocal lookup, AVX-512", "asm.fastLocalContainsBatchAVX512",
			form{"k ≤ 6, near", 64, shape{"vpmulld": 6, "vpcmpeqb": 1, "prefetcht0": 1}, way{rounds: 4}},
			form{"k ≤ 6, far", 64, shape{"vpmulld": 3, "vpcmpeqb": 1, "prefetcht0": 9}, way{rounds: 8}},
			form{"k ≤ 8, near", 64, shape{"vpmulld": 8, "vpcmpeqb": 1, "prefetcht0": 1}, way{rounds: 4}},
			form{"k ≤ 8, far", 64, shape{"vpmulld": 4, "vpcmpeqb": 1, "prefetcht0": 9}, way{rounds: 8}},
			form{"k ≤ 12, near", 64, shape{"vpmulld": 6, "vpcmpeqw": 2, "prefetcht0": 1}, way{rounds: 8}},
			form{"k ≤ 12, far", 64, shape{"vpmulld": 6, "vpcmpeqw": 2, "prefetcht0": 9}, way{rounds: 8}},
			form{"k ≤ 16, near", 64, shape{"vpmulld": 8, "vpcmpeqw": 2, "prefetcht0": 1}, way{rounds: 8}},
			form{"k ≤ 16, far", 64, shape{"vpmulld": 8, "vpcmpeqw": 2, "prefetcht0": 9}, way{rounds: 8}},
		),

		// Legacy filters' hashes are widened first, eight in a round. Then the loops are FastLocal's.
		forms("Legacy lookup", "asm.legacyWiden", form{"widening, AVX2", 8, shape{"vpmuludq": 4}, way{}}),
		forms("Legacy lookup, AVX2", "asm.legacyContainsBatchAVX2",
			form{"k ≤ 8, near", 64, shape{"vpmulld": 16, "vpcmpeqb": 2, "prefetcht0": 1}, way{rounds: 4}},
			form{"k ≤ 8, far", 64, shape{"vpmulld": 8, "vpcmpeqb": 2, "prefetcht0": 9}, way{rounds: 8}},
		),
		forms("Legacy lookup, AVX-512", "asm.legacyContainsBatchAVX512",
			form{"k ≤ 6, near", 64, shape{"vpmulld": 6, "vpcmpeqb": 1, "prefetcht0": 1}, way{rounds: 4}},
			form{"k ≤ 6, far", 64, shape{"vpmulld": 3, "vpcmpeqb": 1, "prefetcht0": 9}, way{rounds: 8}},
			form{"k ≤ 8, near", 64, shape{"vpmulld": 8, "vpcmpeqb": 1, "prefetcht0": 1}, way{rounds: 4}},
			form{"k ≤ 16, near", 64, shape{"vpmulld": 8, "vpcmpeqw": 2, "prefetcht0": 1}, way{rounds: 8}},
		),

		// The quick test is all that most absent keys meet; the survivors' is exact. AVX2 also
		// prefetches lines of a near filter, unless the first cache has room for all of it. The
		// row is for one that fits: it takes the branch over these prefetches.
		forms("Paired lookup, AVX2", "asm.pairedContainsBatchAVX2",
			form{"k ≤ 16, own blocks, near", 8, shape{"vpmulld": 8, "rorq": 8, "prefetcht0": 8}, way{taken: []int{1}}},
			form{"k ≤ 16, own blocks, far", 8, shape{"vpmulld": 8, "rorq": 8, "prefetcht0": 16}, way{}},
			form{"k ≤ 16, survivors, near", 8, shape{"vpmulld": 24, "rorq": 0, "prefetcht1": 32}, way{taken: []int{2}}},
			form{"k ≤ 16, survivors, far", 8, shape{"vpmulld": 24, "rorq": 0, "prefetcht1": 32}, way{}},
		),
		forms("Paired lookup, AVX-512", "asm.pairedContainsBatchAVX512",
			form{"k ≤ 16, own blocks, near", 8, shape{"vpmulld": 4, "rorq": 8, "prefetcht0": 0}, way{}},
			form{"k ≤ 16, own blocks, far", 8, shape{"vpmulld": 4, "rorq": 8, "prefetcht0": 16}, way{}},
			form{"k ≤ 16, survivors, near", 8, shape{"vpmulld": 12, "rorq": 0, "prefetcht1": 32}, way{taken: []int{2}}},
			form{"k ≤ 16, survivors, far", 8, shape{"vpmulld": 12, "rorq": 0, "prefetcht1": 32}, way{}},
		),

		// An iteration looks 64 keys up in the first layer, in loops of eight for each step, and
		// puts the bumped ones into the queue. Fingerprints of 21 bits leave no tail, and so a branch
		// is taken over it; those of 7 leave the longest, of eight slots. Both need one load of a
		// line's end, and branch over the others.
		forms("Linear lookup, AVX-512", "asm.linearLayerAVX512",
			form{"R = 21, near", 64, shape{"vpmultishiftqb": 16}, way{rounds: 8, taken: []int{1, 2, 3, 6}}},
			form{"R = 21, far", 64, shape{"vpmultishiftqb": 16}, way{rounds: 8, taken: []int{2, 3, 5, 6}}},
			form{"R = 7, near", 64, shape{"vpmultishiftqb": 16}, way{rounds: 8, taken: []int{1, 2, 3}}},
			form{"R = 7, far", 64, shape{"vpmultishiftqb": 16}, way{rounds: 8, taken: []int{2, 3, 5}}},
		),

		// The first loop finds the columns and the rows of a vector of keys, the second one looks a key
		// up in eight columns. Near, it takes the branch over prefetches.
		forms("Ribbon lookup, AVX2", "asm.ribbonBatchAVX2",
			form{"rows", 4, shape{"vpsllvq": 4, "adcl": 0}, way{}},
			form{"8 columns, near", 1, shape{"vpshufb": 1, "adcl": 1}, way{taken: []int{1}}},
			form{"8 columns, far", 1, shape{"vpshufb": 1, "adcl": 1}, way{}},
		),
		forms("Ribbon lookup, AVX-512", "asm.ribbonBatchAVX512",
			form{"rows", 8, shape{"vpsllvq": 4, "adcl": 0}, way{}},
			form{"8 columns, near", 1, shape{"vpopcntb": 1, "adcl": 1}, way{taken: []int{1}}},
			form{"8 columns, far", 1, shape{"vpopcntb": 1, "adcl": 1}, way{}},
		),

		// AVX2 sets bits in loops inside, one for each key, of two probes in a round.
		forms("FastLocal adding, AVX2", "asm.fastLocalAddAVX2",
			form{"k = 6, near", 8, shape{"vpmulld": 8, "vpsllvd": 32}, way{rounds: 3, taken: []int{1}}},
			form{"k = 6, far", 8, shape{"vpmulld": 8, "vpsllvd": 32}, way{rounds: 3}},
		),
		forms("FastLocal adding, AVX-512", "asm.fastLocalAddAVX512",
			form{"k ≤ 8, near", 8, shape{"vpmulld": 4, "prefetcht0": 1, "prefetcht1": 8}, way{taken: []int{1}}},
			form{"k ≤ 8, far", 8, shape{"vpmulld": 4, "prefetcht0": 1, "prefetcht1": 8}, way{}},
		),
		forms("Paired adding, AVX2", "asm.pairedAddAVX2",
			form{"k = 16, near", 8, shape{"vpmulld": 24, "vpsllvd": 64}, way{rounds: 4, taken: []int{1}}},
			form{"k = 16, far", 8, shape{"vpmulld": 24, "vpsllvd": 64}, way{rounds: 4}},
		),
		forms("Paired adding, AVX-512", "asm.pairedAddAVX512",
			form{"k ≤ 16, near", 8, shape{"vpmulld": 12, "prefetcht0": 1, "prefetcht1": 8}, way{taken: []int{1}}},
			form{"k ≤ 16, far", 8, shape{"vpmulld": 12, "prefetcht0": 1, "prefetcht1": 8}, way{}},
		),
		forms("Paired counting, AVX2", "asm.pairedCountAVX2", form{"any k", 64, shape{"incw": 64}, way{}}),
		forms("Paired counting, AVX-512", "asm.pairedCountAVX512", form{"any k", 64, shape{"incw": 64}, way{}}),
		forms("Partitioning", "asm.partitionHashes", form{"any k", 1, shape{"shrl": 1, "incq": 1}, way{}}),
	),
}}

// plainGo returns what kernels of FastLocal's lookup stand beside. Its loop inside has a
// round for each probe.
func plainGo(s shape) []kernel {
	return forms("FastLocal lookup, pure Go", "fallback.fastLocalAnswers",
		form{"k = 6", 1, s, way{rounds: 6}},
		form{"k = 12", 1, s, way{rounds: 12}},
	)
}

// forms returns the kernels that are in a function.
func forms(job, function string, forms ...form) []kernel {
	var kernels []kernel
	for _, f := range forms {
		kernels = append(kernels, kernel{job, function, f})
	}
	return kernels
}
