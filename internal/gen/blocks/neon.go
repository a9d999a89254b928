package blocks

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/gen/neon"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// The kernels for arm64. A block fills four vectors, in which TBL finds a byte for each of
// a key's probes. Eight probes of two keys, or 16 of one, are tested at once, and the
// answers of 16 keys become one vector. (asm/fastlocal_arm64.go says why only lookups have
// kernels.)

// NEONKeys are answered together.
const NEONKeys = 16

// A round of the loops looks up this number of them. With up to 8 probes, rounds of eight take 0.91 to 0.97 of the
// cycles of rounds of four. With more probes, all 16 keys at once would take 0.96 to 1 of them (llvm-mca).
const (
	NEONRound      = shared.Quad
	neonShortRound = shared.Octet // of keys of up to 8 probes
)

// Registers of the loops, beside those that all batches share.
const (
	neonRounds neon.X = 25 // that are left
	neonBase   neon.X = 26 // of prefetched blocks
)

// Vectors of the kernels for blocks.
const (
	NEONBlocks      neon.V = 0  // two of four
	NEONAnswers     neon.V = 16 // of fewer and fewer keys: three
	neonAnswered    neon.V = 19 // keys, a byte for each
	NEONMultipliers neon.V = 21 // four, or eight
	neonFirst       neon.V = 29 // added to products
	neonOnes        neon.V = 30 // 1<<i%8 in byte i
	neonSeven       neon.V = 31
)

// Vectors for a step.
const (
	NEONHash                   neon.V = 8
	NEONProducts               neon.V = 9 // four
	NEONByteNumbers, NEONTests neon.V = 13, 14
	NEONOthers                 neon.V = 15
)

// NEONBatch is a kernel that looks keys up, 16 at a time.
type NEONBatch struct {
	fn *neon.Function
	Loader
	Progression
	blocks neonBlocks
	pairs  func(first int, to neon.V) // tests eight probes of two keys
	Begin  func()                     // emits the code before all rounds, which are of NEONRound keys then
	Next   func()                     // emits the code behind a round, if Begin is not nil
}

// neonBlocks finds a hash's block behind a base.
type neonBlocks func(fn *neon.Function, to, base, hashes neon.X, offset int)

// NewNEONBatch returns the kernel for blocks of 64 bytes.
func NewNEONBatch(fn *neon.Function, l Loader, p Progression) NEONBatch {
	b := NEONBatch{fn: fn, Loader: l, Progression: p, blocks: neonBlock}
	b.pairs = b.pair
	return b
}

// Loader loads blocks and multiplied hashes of a round's keys.
type Loader interface {
	// One loads the block of a key, and what is multiplied.
	One(key int) Lane
	// Two does so for two keys; the second one's block is in the second four vectors.
	Two(first int) [2]Lane
}

// Lane is a lane of 32 bits.
type Lane struct {
	neon.V
	number int
}

// Arguments loads those that batches share.
func Arguments(b *neon.Function, multipliers int) {
	b.Argument(shared.NEONFilter, "k")
	b.Argument(shared.NEONHits, "hits")
	b.Argument(shared.NEONHashes, "hashes")
	b.Argument(shared.NEONLeft, "n")
	b.Field(shared.NEONBody, shared.NEONFilter, "Kernel", "body", 0)
	b.Field(shared.NEONSize, shared.NEONFilter, "Kernel", "body", 8)
	b.Field(shared.NEONScratch, shared.NEONFilter, "Kernel", "multipliers", 0)
	for i := range multipliers {
		b.LdrQ(NEONMultipliers+neon.V(i), shared.NEONScratch, 16*i)
	}
	const ones = 0x8040201008040201
	b.Constant(shared.NEONScratch, "ones", ones, ones)
	b.LdrQ(neonOnes, shared.NEONScratch, 0)
	b.MoviB16(neonSeven, 7)
}

// Forms emits the code for each number of probes.
func (b NEONBatch) Forms(probes neon.X, most ...int) {
	for i, form := range most {
		next := fmt.Sprint("moreThan", form)
		if i+1 < len(most) {
			b.fn.CmpI(probes, form)
			b.fn.Bhi(next)
		}
		b.loop(fmt.Sprint("upTo", form), form)
		b.fn.Label(next)
	}
}

// loop emits the loop for at most the given number of probes, and the return.
func (b NEONBatch) loop(label string, probes int) {
	keys := NEONRound
	if b.Begin != nil {
		b.Begin()
	} else if probes <= 8 {
		keys = neonShortRound
	}
	round := label + "Round"
	b.fn.Label(label)
	b.prefetch(label, keys)
	b.fn.MovI(neonRounds, NEONKeys/keys)
	b.fn.Label(round)
	b.keys(probes, 0, keys, NEONAnswers)
	for n := keys; n < NEONKeys; n *= 2 {
		b.fn.UminpB16(NEONAnswers, NEONAnswers, NEONAnswers)
	}
	b.fn.ExtB16(neonAnswered, neonAnswered, NEONAnswers, keys)
	b.fn.AddI(shared.NEONHashes, shared.NEONHashes, shared.HashBytes*keys)
	if b.Next != nil {
		b.Next()
	}
	b.fn.SubsI(neonRounds, neonRounds, 1)
	b.fn.Bne(round)
	b.bits(neonAnswered)
	b.fn.SubsI(shared.NEONLeft, shared.NEONLeft, NEONKeys)
	b.fn.Bne(label)
	b.fn.Return()
}

// prefetch prefetches the blocks of keys that are ahead, if any are, some in a round: their first lines and then, if
// all blocks lie across two, their last ones.
func (b NEONBatch) prefetch(label string, round int) {
	fn, near, lines, keys := b.fn, label+"Near", label+"Lines", label+"Keys"
	fn.CmpI(shared.NEONAhead, 0)
	fn.Beq(near)
	fn.AddI(neonBase, shared.NEONBody, 0)
	fn.Label(lines)
	fn.AddShifted(shared.NEONScratch, shared.NEONHashes, shared.NEONAhead, 3)
	fn.MovI(neonRounds, NEONKeys/round)
	fn.Label(keys)
	for key := range round {
		b.blocks(fn, shared.NEONAt, neonBase, shared.NEONScratch, shared.HashBytes*key)
		fn.PrefetchL1(shared.NEONAt, 0)
	}
	fn.AddI(shared.NEONScratch, shared.NEONScratch, shared.HashBytes*round)
	fn.SubsI(neonRounds, neonRounds, 1)
	fn.Bne(keys)
	fn.TstI(shared.NEONBody, shared.LineBytes-1)
	fn.Beq(near)
	fn.Cmp(neonBase, shared.NEONBody)
	fn.AddI(neonBase, shared.NEONBody, shared.LineBytes-1)
	fn.Beq(lines)
	fn.Label(near)
}

// neonBlock finds the block of a hash.
func neonBlock(fn *neon.Function, to, base, hashes neon.X, offset int) {
	NEONBlockNumber(fn, to, hashes, offset)
	fn.AddShifted(to, base, to, 6)
}

// NEONBlockNumber finds the number of a hash's block.
func NEONBlockNumber(fn *neon.Function, to, hashes neon.X, offset int) {
	fn.LdrW(to, hashes, offset)
	fn.Umull(to, to, shared.NEONSize)
	fn.LsrI(to, to, 32+6)
}

// LoadBlock loads a block.
func LoadBlock(fn *neon.Function, to neon.V, at neon.X) {
	fn.LdpQ(to, to+1, at, 0)
	fn.LdpQ(to+2, to+3, at, shared.LineBytes/2)
}

// bits stores the answers of 16 keys.
func (b NEONBatch) bits(answers neon.V) {
	b.fn.AndB16(answers, answers, neonOnes)
	for range 3 {
		b.fn.AddpB16(answers, answers, answers)
	}
	b.fn.St1H(answers, 0, shared.NEONHits)
}

// keys answers some keys of a round: each has the same number of bytes, all ones if all of
// its probes found their bits.
func (b NEONBatch) keys(probes, first, n int, to neon.V) {
	switch {
	case n == 2 && probes <= 8:
		b.pairs(first, to)
	case n == 1:
		b.single(probes, first, to)
	default:
		b.keys(probes, first, n/2, to)
		b.keys(probes, first+n/2, n/2, to+1)
		b.fn.UminpB16(to, to, to+1)
	}
}

// pair tests eight probes of two keys.
func (b NEONBatch) pair(first int, to neon.V) {
	lanes := b.Two(first)
	b.begin()
	for key, l := range lanes {
		for i := range neon.V(2) {
			b.product(NEONProducts+2*neon.V(key)+i, NEONMultipliers+i, l)
		}
	}
	TestTwo(b.fn, to)
}

// begin replaces hashes by their factors, and puts their summands into another vector. Both have the same lanes. If
// probes are cubic, the summands have the lanes of the high halves, and the factors those of the low halves.
func (b NEONBatch) begin() {
	switch b.Progression {
	case steps:
		b.fn.ShlS4(neonFirst, NEONHash, 32-positionBits)
		b.fn.UshrS4(NEONHash, NEONHash, deltaAt)
	case cubic:
		b.fn.ShlS4(neonFirst, NEONHash, 32-positionBits)
		b.fn.ShlS4(NEONHash, NEONHash, positionBits)
		b.fn.MoviB16(NEONOthers, 1)
		b.fn.UshrS4(NEONOthers, NEONOthers, 24)
		b.fn.OrrB16(NEONHash, NEONHash, NEONOthers)
	}
}

// product multiplies, and adds.
func (b NEONBatch) product(to, multipliers neon.V, l Lane) {
	if b.Progression == Powers {
		b.fn.MulByLaneS4(to, multipliers, l.V, l.number)
		return
	}
	b.fn.DupLaneS4(to, neonFirst, l.number)
	if b.Progression == cubic {
		l.number--
	}
	b.fn.MlaByLaneS4(to, multipliers, l.V, l.number)
}

// TestTwo tests eight products in each of two blocks.
func TestTwo(fn *neon.Function, to neon.V) {
	positions(fn)
	fn.Tbl4B16(to, NEONBlocks, NEONByteNumbers)
	fn.Tbl4B16(NEONOthers, NEONBlocks+4, NEONByteNumbers)
	fn.InsD(to, 1, NEONOthers, 1)
	fn.CmtstB16(to, to, NEONTests)
}

// single tests 16 probes of a key, or 32.
func (b NEONBatch) single(probes, key int, to neon.V) {
	l := b.One(key)
	b.begin()
	b.sixteen(l, NEONMultipliers, to)
	if probes > 16 {
		b.sixteen(l, NEONMultipliers+4, NEONOthers)
		b.fn.AndB16(to, to, NEONOthers)
	}
}

// sixteen tests 16 probes in a block.
func (b NEONBatch) sixteen(l Lane, multipliers, to neon.V) {
	for i := range neon.V(4) {
		b.product(NEONProducts+i, multipliers+i, l)
	}
	positions(b.fn)
	b.fn.Tbl4B16(to, NEONBlocks, NEONByteNumbers)
	b.fn.CmtstB16(to, to, NEONTests)
}

// positions turns 16 products into the numbers of bytes, their top six bits, and the bits
// to find there, which the next three bits say.
func positions(fn *neon.Function) {
	low, high := NEONProducts, NEONProducts+2
	fn.Uzp2H8(low, NEONProducts, NEONProducts+1)
	fn.Uzp2H8(high, NEONProducts+2, NEONProducts+3)
	fn.Uzp2B16(NEONByteNumbers, low, high)
	fn.UshrB16(NEONByteNumbers, NEONByteNumbers, 2)
	fn.ShrnB8(NEONTests, low, 7)
	fn.Shrn2B16(NEONTests, high, 7)
	fn.AndB16(NEONTests, NEONTests, neonSeven)
	fn.TblB16(NEONTests, neonOnes, NEONTests)
}
