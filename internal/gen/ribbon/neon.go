package ribbon

import (
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Registers of the kernel for Ribbon filters, beside those that batches share.
const (
	ribbonP neon.X = shared.NEONFilter

	// Fields of its argument.
	ribbonStarts, ribbonSeedBits, ribbonColumns, ribbonFewer, ribbonBound, ribbonUnits neon.X = 9, 10, 11, 12, 13, 14

	ribbonFirst, ribbonSecond neon.X = 15, 16 // factors of hashes
	ribbonFound               neon.X = 17     // a bit for each key, the last one's lowest
	ribbonLeft                neon.X = 19     // keys that are left in the octet

	// Of a key.
	ribbonA, ribbonShift, ribbonOwn, ribbonNext, ribbonTail neon.X = 20, 21, 22, 23, 24
	// Of a unit.
	ribbonBegin, ribbonEnd, ribbonExpected neon.X = 25, 26, shared.NEONSize

	ribbonRowOwn, ribbonRowNext neon.V = 0, 1
	ribbonLoaded                neon.V = 2 // eight
	ribbonSums                  neon.V = 10
	ribbonBits                  neon.V = 11 // that are expected

	// For a row: the upper half twice, both halves, the lower half in the upper lane, and shifts.
	ribbonHighs, ribbonBoth, ribbonRaised, ribbonBy, ribbonMore neon.V = 16, 17, 18, 19, 25

	// Constants.
	ribbonDifference neon.V = 20
	ribbonLowest     neon.V = 21
	ribbonShifts     neon.V = 22 // three
	ribbonOnes       neon.V = 30
	ribbonPlaces     neon.V = 31 // 1<<i in byte i
)

// NEON emits the kernel for batches. It looks up one key after the other: processors look
// ahead to the next ones.
//
// A shift to the left by less than nothing is one to the right, and one by 64 or more gives 0, so
// four shifts of two lanes make a row.
func NEON(f *kernel.File) {
	const name = "ribbonBatchNEON"
	fn := neon.NewFunction(f, name, "func(k *Kernel, hashes *uint64, hits *byte, n, ahead int)",
		name+" looks up n hashes, whole octets, at least one, and sets a byte of answers for",
		"each. If ahead is not 0, it prefetches the columns of hashes[i+ahead], which must exist.")
	r := neonBatch{fn}
	r.begin()
	fn.Label("octet")
	fn.MovI(ribbonLeft, shared.Octet)
	fn.Label("key")
	fn.CmpI(shared.NEONAhead, 0)
	fn.Beq("near")
	r.prefetch()
	fn.Label("near")
	fn.Ldr(ribbonA, shared.NEONHashes, 0)
	fn.AddI(shared.NEONHashes, shared.NEONHashes, shared.HashBytes)
	r.locate()
	r.row()
	fn.MovI(ribbonEnd, 0)
	fn.Label("unit")
	r.unit()
	fn.CmpI(shared.NEONScratch, 0)
	fn.Bne("answer")
	fn.Cmp(ribbonUnits, ribbonEnd)
	fn.Bhi("unit")
	fn.Label("answer")
	fn.Cmp(neon.Zero, shared.NEONScratch) // carries if all are right
	fn.Adc(ribbonFound, ribbonFound, ribbonFound)
	fn.SubsI(ribbonLeft, ribbonLeft, 1)
	fn.Bne("key")
	fn.Rbit(shared.NEONScratch, ribbonFound)
	fn.LsrI(shared.NEONScratch, shared.NEONScratch, 64-shared.Octet)
	fn.StrBNext(shared.NEONScratch, shared.NEONHits)
	fn.SubsI(shared.NEONLeft, shared.NEONLeft, shared.Octet)
	fn.Bne("octet")
	fn.Return()
}

// A neonBatch emits the steps.
type neonBatch struct{ fn *neon.Function }

// begin loads arguments and constants.
func (r neonBatch) begin() {
	r.fn.Argument(ribbonP, "k")
	r.fn.Argument(shared.NEONHashes, "hashes")
	r.fn.Argument(shared.NEONHits, "hits")
	r.fn.Argument(shared.NEONLeft, "n")
	r.fn.Argument(shared.NEONAhead, "ahead")
	r.fn.Field(ribbonP, ribbonP, "Kernel", "own", 0)
	for _, field := range []struct {
		name string
		to   neon.X
	}{
		{"body", shared.NEONBody},
		{"shape.Starts", ribbonStarts},
		{"shape.Seed", ribbonSeedBits},
		{"shape.Columns", ribbonColumns},
		{"shape.Fewer", ribbonFewer},
		{"lastSegment", ribbonBound},
		{"unitBytes", ribbonUnits},
	} {
		r.fn.Field(field.to, ribbonP, "ribbonFilter", field.name, 0)
	}
	r.fn.Constant(shared.NEONScratch, "ribbonFactors", ribbonHash, ribbonRow)
	r.fn.Ldp(ribbonFirst, ribbonSecond, shared.NEONScratch, 0)
	const (
		right64  = 1<<8 - 64
		right128 = 1<<8 - 128
		left64   = 64 // and more
	)
	for _, constant := range []struct {
		name      string
		to        neon.V
		low, high uint64
	}{
		{"ribbonLower", ribbonDifference, ribbonLower, ribbonLower},
		{"one", ribbonLowest, 1, 1},
		{"ribbonRaise", ribbonShifts, 0, right64},
		{"ribbonNextHigh", ribbonShifts + 1, right64, right128},
		{"ribbonNextLow", ribbonShifts + 2, right128, left64},
		{"places", ribbonPlaces, 0x8040201008040201, 0x8040201008040201},
	} {
		r.fn.Constant(shared.NEONScratch, constant.name, constant.low, constant.high)
		r.fn.LdrQ(constant.to, shared.NEONScratch, 0)
	}
	r.fn.MoviB16(ribbonOnes, 1)
}

// locate finds the columns of a hash in ribbonA, and leaves what its row comes from there.
func (r neonBatch) locate() {
	block, lower, columns := shared.NEONAt, shared.NEONScratch, ribbonTail
	r.fn.Eor(ribbonA, ribbonA, ribbonSeedBits)
	r.fn.Mul(ribbonA, ribbonA, ribbonFirst)
	r.fn.Umulh(block, ribbonA, ribbonStarts)
	r.fn.Mul(ribbonA, ribbonA, ribbonSecond)
	r.fn.Ubfx(ribbonShift, block, 0, 7)
	r.fn.LsrI(block, block, 7)
	r.fn.Mul(ribbonOwn, block, ribbonColumns)
	r.fn.Cmp(block, ribbonFewer)
	r.fn.CselHS(lower, ribbonFewer, block)
	r.fn.CincLO(columns, neon.Zero) // 1 if the block has one less
	r.fn.Sub(columns, ribbonColumns, columns)
	r.fn.Sub(ribbonOwn, ribbonOwn, lower)
	r.fn.AddShifted(ribbonNext, ribbonOwn, columns, 0)
	r.fn.Cmp(ribbonNext, ribbonBound)
	r.fn.CselHS(ribbonNext, ribbonBound, ribbonNext)
	r.fn.SubI(ribbonTail, columns, groupColumns)
	r.fn.AddShifted(ribbonOwn, shared.NEONBody, ribbonOwn, 4)
	r.fn.AddShifted(ribbonNext, shared.NEONBody, ribbonNext, 4)
	r.fn.AddShifted(ribbonTail, neon.Zero, ribbonTail, 4)
}

// prefetch prefetches the first unit of the hash that is ahead.
func (r neonBatch) prefetch() {
	r.fn.LdrAt(ribbonA, shared.NEONHashes, shared.NEONAhead)
	r.locate()
	second := shared.NEONScratch
	r.fn.MovI(second, groupBytes)
	r.fn.Cmp(ribbonTail, second)
	r.fn.CselHS(second, second, ribbonTail)
	for _, columns := range []neon.X{ribbonOwn, ribbonNext} {
		r.fn.PrefetchL1(columns, 0)
		r.fn.PrefetchL1(columns, groupBytes)
		r.fn.AddShifted(columns, columns, second, 0)
		r.fn.PrefetchL1(columns, groupBytes-1)
	}
}

// row makes the row's two halves, and the result.
func (r neonBatch) row() {
	r.fn.FmovD(ribbonHighs, ribbonA)
	r.fn.EorB16(ribbonBoth, ribbonHighs, ribbonDifference)
	r.fn.OrrB16(ribbonBoth, ribbonBoth, ribbonLowest)
	r.fn.InsD(ribbonBoth, 1, ribbonHighs, 0)
	r.fn.InsD(ribbonHighs, 1, ribbonHighs, 0)
	r.fn.MoviB16(ribbonRaised, 0)
	r.fn.InsD(ribbonRaised, 1, ribbonBoth, 0)
	r.fn.FmovD(ribbonBy, ribbonShift)
	r.fn.InsD(ribbonBy, 1, ribbonBy, 0)
	r.fn.UshlD2(ribbonRowOwn, ribbonBoth, ribbonBy)
	for i, shifted := range []struct{ to, from neon.V }{
		{ribbonRaised, ribbonRaised}, {ribbonRowNext, ribbonHighs}, {ribbonMore, ribbonBoth},
	} {
		r.fn.AddS4(ribbonSums, ribbonBy, ribbonShifts+neon.V(i))
		r.fn.UshlD2(shifted.to, shifted.from, ribbonSums)
	}
	r.fn.OrrB16(ribbonRowOwn, ribbonRowOwn, ribbonRaised)
	r.fn.OrrB16(ribbonRowNext, ribbonRowNext, ribbonMore)
	r.fn.Rev(ribbonA, ribbonA)
}

// unit looks the key up in two groups of columns, and goes on to the next unit. neonScratch is
// 0 if all are right.
func (r neonBatch) unit() {
	group := func(at neon.X) {
		r.fn.Cmp(ribbonTail, ribbonEnd)
		r.fn.CselHS(at, ribbonEnd, ribbonTail)
		r.fn.AddI(ribbonEnd, ribbonEnd, groupBytes)
	}
	first, second, bits := ribbonBegin, shared.NEONAt, shared.NEONScratch
	group(first)
	group(second)
	r.fn.LsrI(bits, first, 4)
	r.fn.Lsr(ribbonExpected, ribbonA, bits)
	r.fn.Ubfx(ribbonExpected, ribbonExpected, 0, groupColumns)
	r.fn.LsrI(bits, second, 4)
	r.fn.Lsr(bits, ribbonA, bits)
	r.fn.Ubfx(bits, bits, 0, groupColumns)
	r.fn.AddShifted(ribbonExpected, ribbonExpected, bits, groupColumns)
	r.sums(first)
	r.fn.OrrB16(ribbonSums, ribbonLoaded, ribbonLoaded)
	r.sums(second)
	r.fn.AddpB16(ribbonSums, ribbonSums, ribbonLoaded)
	r.fn.AddpB16(ribbonSums, ribbonSums, ribbonSums)
	r.fn.CmtstB16(ribbonSums, ribbonSums, ribbonOnes)
	r.fn.FmovS(ribbonBits, ribbonExpected)
	r.fn.DupB16(ribbonBits, ribbonBits, 0)
	r.fn.CmtstB16(ribbonBits, ribbonBits, ribbonPlaces)
	r.fn.EorB16(ribbonSums, ribbonSums, ribbonBits)
	r.fn.FmovFromD(shared.NEONScratch, ribbonSums)
}

// sums counts the slots of a group that are in the row: four bytes for each column.
func (r neonBatch) sums(at neon.X) {
	const next = ribbonLoaded + groupColumns
	r.fn.AddShifted(shared.NEONScratch, ribbonOwn, at, 0)
	r.fn.LdpQ(ribbonLoaded, ribbonLoaded+1, shared.NEONScratch, 0)
	r.fn.LdpQ(ribbonLoaded+2, ribbonLoaded+3, shared.NEONScratch, groupBytes/2)
	r.fn.AddShifted(shared.NEONScratch, ribbonNext, at, 0)
	r.fn.LdpQ(next, next+1, shared.NEONScratch, 0)
	r.fn.LdpQ(next+2, next+3, shared.NEONScratch, groupBytes/2)
	for i := range neon.V(groupColumns) {
		r.fn.AndB16(ribbonLoaded+i, ribbonLoaded+i, ribbonRowOwn)
		r.fn.AndB16(next+i, next+i, ribbonRowNext)
		r.fn.EorB16(ribbonLoaded+i, ribbonLoaded+i, next+i)
		r.fn.CntB16(ribbonLoaded+i, ribbonLoaded+i)
	}
	r.fn.AddpB16(ribbonLoaded, ribbonLoaded, ribbonLoaded+1)
	r.fn.AddpB16(ribbonLoaded+2, ribbonLoaded+2, ribbonLoaded+3)
	r.fn.AddpB16(ribbonLoaded, ribbonLoaded, ribbonLoaded+2)
}
