package sliced

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// keys emits the kernel for several keys, of which each has a line as its answer.
func (v vectors) keys(f *kernel.File) {
	name := "slicedKeys" + v.name
	fn := f.Function(v.level, name, "func(dst, tile *byte, rows *uint64, probes, keys int)",
		name+" stores the AND of a line of each key's rows: probes rows, at least one, for each of some keys, at least one.")
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	dst, tile, at, probes, keys := param("dst"), param("tile"), param("rows"), param("probes"), param("keys")
	end := fn.GP64()
	fn.Label("key")
	fn.LEAQ(Mem{Base: at, Index: probes, Scale: offsetBytes}, end)
	for i, sum := range v.and(fn, "row", tile, at, end, 1, nil) {
		v.store(fn, sum, Mem{Base: dst, Disp: i * v.bytes})
	}
	fn.ADDQ(U8(shared.LineBytes), dst)
	fn.DECQ(keys)
	fn.JNZ(LabelRef("key"))
	fn.VZEROUPPER()
	fn.RET()
}
