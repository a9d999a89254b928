package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Legacy emits the kernels of legacy filters. Their batches are FastLocal's, of widened
// hashes and with other probes.
func Legacy(f *kernel.File) {
	legacyWiden(f)
	legacySingles(f)
	legacyContainsKey(f)
	batch512(f, "legacyContainsBatchAVX512", steps, Layouts[:4])
	batch256(f, "legacyContainsBatchAVX2", steps, false)
	add256(f, "legacyAddAVX2", steps, legacyRowsOf)
}

// LegacyNEON emits the batch kernel for arm64.
func LegacyNEON(f *kernel.File) { batchNEON(f, "legacyContainsBitsNEON", steps) }

// legacyWiden widens eight hashes in a round: a vector has four of them in its quadwords.
func legacyWiden(f *kernel.File) {
	fn := f.Function(kernel.AVX2, "legacyWiden", "func(reciprocal uint64, hashes, wide *uint64, n int)",
		"legacyWiden is fallback.LegacyWiden of n hashes, a multiple of eight, at least one eight.")
	low, high, one := fn.YMM(), fn.YMM(), fn.YMM()
	fn.VPBROADCASTQ(fn.Address(fn.Param("reciprocal")), low)
	fn.VPSRLQ(U8(32), low, high)
	fn.VPCMPEQD(one, one, one)
	fn.VPSRLD(U8(31), one, one)
	hashes, wide, n := fn.Load(fn.Param("hashes"), fn.GP64()), fn.Load(fn.Param("wide"), fn.GP64()), fn.Load(fn.Param("n"), fn.GP64())
	fn.Label("next")
	for half := range 2 {
		hash, fraction, upper := fn.YMM(), fn.YMM(), fn.YMM()
		fn.VMOVDQU(Mem{Base: hashes, Disp: 32 * half}, hash)
		fn.VPMULUDQ(low, hash, fraction)
		fn.VPMULUDQ(high, hash, upper)
		fn.VPSRLQ(U8(32), fraction, fraction)
		fn.VPADDD(one, upper, upper)
		fn.VPADDD(upper, fraction, fraction)
		fn.VPSLLQ(U8(32), hash, hash)
		fn.VPBLENDD(U8(0b10101010), hash, fraction, hash)
		fn.VMOVDQU(hash, Mem{Base: wide, Disp: 32 * half})
	}
	fn.ADDQ(U8(shared.HashBytes*shared.Octet), hashes)
	fn.ADDQ(U8(shared.HashBytes*shared.Octet), wide)
	fn.SUBQ(U8(shared.Octet), n)
	fn.JNZ(LabelRef("next"))
	fn.VZEROUPPER()
	fn.RET()
}

// legacySingles emits the kernels for one key. The AVX-512 level runs them, too.
func legacySingles(f *kernel.File) {
	fn := f.Entry(kernel.AVX2, "legacyContainsAVX2", shared.Contains)
	field, hash, line := shared.FieldOf(fn, shared.Prepared), HashOf(fn).word, fn.GP64()
	fn.MOVL(hash, line.As32())
	own := shared.InEight(fn, shared.Prepared, "legacyFilter")
	fn.IMULQ(own("modulus.Reciprocal"), line)
	fn.MOVL(own("lines"), reg.EDX)
	fn.MULXQ(line, fn.GP64(), line)
	fn.MOVQ(field("probes"), reg.RCX)
	legacyLine(fn, line, field("body"), broadcast(fn, hash))
	shared.Functions{
		Go: "legacyContainsGo", AVX2: "legacyContainsAVX2", Eight: "legacyContainsAVX2", More: "legacyContainsAVX2",
		Batch: "legacyBatch", InGo: "legacyBitsInGo",
	}.Define(f, "legacyFunctions")

	fn = f.Function(kernel.AVX2, "legacyMayContain", "func(data *byte, size int, hash uint64, other func(data []byte, hash uint64) bool) (found bool)",
		"legacyMayContain is LegacyMayContain.")
	shared.UnlessFrom(fn, kernel.AVX2)
	data, size, trailer := shared.Trailed(fn, 5)
	fn.JLS(LabelRef("other")) // no line
	lines, bytes := fn.GP64(), fn.GP64()
	fn.MOVL(trailer.Offset(1), lines.As32())
	fn.MOVQ(lines, bytes)
	fn.SHLQ(U8(6), bytes)
	fn.CMPQ(bytes, size)
	fn.JNE(LabelRef("other"))
	fn.MOVBLZX(trailer, reg.ECX)
	fn.LEAL(Mem{Base: reg.RCX, Disp: -1}, bytes.As32())
	fn.CMPL(bytes.As32(), U8(MaxProbes-1))
	fn.JHI(LabelRef("other"))
	hash = HashOf(fn).word
	fn.MOVL(hash, reg.EAX)
	fn.XORL(reg.EDX, reg.EDX)
	fn.DIVL(lines.As32()) // a reciprocal would take another division
	line = fn.GP64()
	fn.MOVL(reg.EDX, line.As32())
	legacyLine(fn, line, data, broadcast(fn, hash))
	fn.Label("other")
	fn.TailCall("legacyMayContainOther")
}

// broadcast fills a vector with a hash.
func broadcast(fn *kernel.Function, hash Mem) reg.VecVirtual {
	high := fn.YMM()
	fn.VPBROADCASTD(hash, high)
	return high
}

// legacyContainsKey hashes a key and looks it up. By a hash in Go, a lookup takes a tenth
// longer (processor not recorded).
func legacyContainsKey(f *kernel.File) {
	fn := f.Function(kernel.AVX2, "legacyContainsKey", "func(body *byte, lines uint32, probes, level int, key []byte) (found bool)",
		"legacyContainsKey is ContainsKey of a filter's bytes, at the given level.")
	fn.CMPQ(fn.Address(fn.Param("level")), U8(shared.LevelAVX2))
	fn.JL(LabelRef("other"))
	key, left, sum := fn.GP64(), fn.GP64(), reg.EAX
	fn.Load(fn.Param("key").Base(), key)
	fn.Load(fn.Param("key").Len(), left)
	shifted, multiplier := fn.GP32(), fn.GP32()
	mix := func(by Op) {
		fn.IMULL(multiplier, sum)
		fn.SHRXL(by, sum, shifted)
		fn.XORL(shifted, sum)
	}
	fn.MOVL(U32(hash.Multiplier32), multiplier)
	fn.MOVL(left.As32(), sum)
	fn.IMULL(multiplier, sum)
	fn.XORL(U32(hash.Seed32), sum)
	fn.Comment("Words, which are numbered up to the one behind the last.")
	word, sixteen := fn.GP64(), fn.GP32()
	fn.MOVQ(left, word)
	fn.ANDQ(I8(-4), word)
	fn.JZ(LabelRef("rest"))
	fn.ADDQ(word, key)
	fn.NEGQ(word)
	fn.MOVL(U32(16), sixteen)
	fn.Label("word")
	fn.ADDL(Mem{Base: key, Index: word, Scale: 1}, sum)
	mix(sixteen)
	fn.ADDQ(U8(4), word)
	fn.JNZ(LabelRef("word"))
	fn.Label("rest")
	fn.ANDQ(U8(3), left)
	fn.JNZ(LabelRef("bytes"))

	fn.Label("hashed")
	high, line := fn.YMM(), fn.GP64()
	fn.VMOVD(sum, high.AsX())
	fn.VPBROADCASTD(high.AsX(), high)
	fn.XORL(reg.EDX, reg.EDX)
	fn.DIVL(fn.Address(fn.Param("lines")))
	fn.MOVL(reg.EDX, line.As32())
	fn.Load(fn.Param("probes"), reg.RCX)
	legacyLine(fn, line, fn.Address(fn.Param("body")), high)

	fn.Label("bytes")
	at := fn.GP32()
	signed := func(i int) {
		fn.MOVBLSX(Mem{Base: key, Disp: i}, at)
		if i > 0 {
			fn.SHLL(U8(uint8(8*i)), at)
		}
		fn.ADDL(at, sum)
	}
	signed(0)
	fn.CMPQ(left, U8(2))
	fn.JL(LabelRef("whole"))
	signed(1)
	fn.CMPQ(left, U8(2))
	fn.JE(LabelRef("whole"))
	signed(2)
	fn.Label("whole")
	twentyFour := fn.GP32()
	fn.MOVL(U32(24), twentyFour)
	mix(twentyFour)
	fn.JMP(LabelRef("hashed"))

	fn.Label("other")
	fn.TailCall("legacyContainsOtherKey")
}

// legacyLine looks up a hash in a line, and returns. CX has the number of probes.
func legacyLine(fn *kernel.Function, line reg.GPVirtual, body Op, high reg.VecVirtual) {
	fn.SHLQ(U8(6), line)
	fn.ADDQ(body, line)
	var numbers [16]uint64
	for i := range 32 {
		numbers[i/2] |= uint64(i) << (32 - positionBits + i%2*32)
	}
	table := func(from int) Mem { return fn.Words("steps", numbers[:]...).Offset(4 * from) }
	fn.NEGL(reg.ECX)
	s := &Single{Fn: fn}
	s.probesOf256(steps, high, Mem{Base: line}, table)
}
