package shared

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// OfAnyBytes is the signature of the functions that read a trailer themselves, and answer for all bytes.
// The first result is unused: where it is, KeyOfAnyBytes has the length of the key.
const (
	OfAnyBytes    = "func(data *byte, size int, hash uint64) (_ uint64, found bool)"
	KeyOfAnyBytes = "func(data *byte, size int, key *byte, n int) (found bool)"
)

// Trailed returns the address of the bytes, how many there are before a trailer of a given size, and
// where that begins.
func Trailed(fn *kernel.Function, trailer int) (data, size reg.GPVirtual, at Mem) {
	data, size = fn.GP64(), fn.GP64()
	fn.Load(fn.Param("data"), data)
	fn.Load(fn.Param("size"), size)
	fn.SUBQ(U8(uint8(trailer)), size)
	return data, size, Mem{Base: data, Index: size, Scale: 1}
}
