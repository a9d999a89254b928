package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// LevelDB emits the kernel that looks one key up in a prepared LevelDB filter, two probes at a
// time, as fallback.LevelDBContains does. The probes are anywhere, so it has no vectors.
//
// A place is multiplied by the reciprocal of the number of bits, which gives its remainder as a
// fraction. That times the number of bytes is the byte, and the fraction's top bits are the bit there.
func LevelDB(f *kernel.File) {
	const name = "levelDBContains"
	fn := f.Entry(kernel.AVX2, name, shared.Contains)
	field := shared.FieldOf(fn, shared.Prepared)
	left, body, place, distance := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	reciprocal, bytes := fn.GP64(), fn.GP64()
	fn.LEAQ(fn.Address(fn.Param("hash")), place)
	fn.MOVL(Mem{Base: place}, place.As32())
	fn.MOVQ(field("body"), body)
	fn.MOVQ(field("probes"), left)
	own := shared.InEight(fn, shared.Prepared, "levelDBFilter")
	fn.MOVQ(own("modulus.Reciprocal"), reciprocal)
	fn.MOVQ(own("modulus.modulus"), bytes)
	fn.SHRQ(U8(3), bytes) // of 2^29 and more, 2^29: no place is beyond
	fn.RORXL(U8(17), place.As32(), distance.As32())

	// bit returns the bit of a place in bit 0, with others above it.
	bit := func(place reg.GPVirtual) reg.GPVirtual {
		at, bits := fn.GP64(), fn.GP64()
		fn.MOVQ(reciprocal, reg.RDX)
		fn.IMULQ(place, reg.RDX)
		fn.MULXQ(bytes, bits, at)
		fn.SHRQ(U8(61), bits)
		fn.MOVBLZX(Mem{Base: body, Index: at, Scale: 1}, at.As32())
		fn.SHRXL(bits.As32(), at.As32(), at.As32())
		return at
	}
	answer := fn.Answer()
	fn.SUBQ(U8(2), left)
	fn.JB(LabelRef("last"))
	fn.Label("two")
	second := fn.GP64()
	fn.LEAL(Mem{Base: place, Index: distance, Scale: 1}, second.As32())
	found := bit(place)
	fn.LEAL(Mem{Base: second, Index: distance, Scale: 1}, place.As32())
	fn.ANDL(bit(second).As32(), found.As32())
	fn.TESTB(U8(1), found.As8())
	fn.JEQ(LabelRef("absent"))
	fn.SUBQ(U8(2), left)
	fn.JAE(LabelRef("two"))
	fn.Label("last")
	fn.CMPQ(left, I8(-2))
	fn.JEQ(LabelRef("present"))
	fn.TESTB(U8(1), bit(place).As8())
	fn.JEQ(LabelRef("absent"))
	fn.Label("present")
	fn.MOVB(U8(1), answer)
	fn.RET()
	fn.Label("absent")
	fn.MOVB(U8(0), answer)
	fn.RET()

	shared.Functions{
		Go: "levelDBContainsGo", AVX2: name, Eight: name, More: name, Batch: "levelDBBatch", InGo: "levelDBBitsInGo",
	}.Define(f, "levelDBFunctions")
}
