package shared

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// Room makes a register point to the given number of bytes on the stack, which begin with a line of the cache. Stacks
// are aligned to 8 bytes: elsewhere, vectors would lie across two lines after some callers and not after others.
func Room(fn *kernel.Function, bytes int, to reg.GPVirtual) {
	const most = LineBytes - 8 // to the next line
	fn.LEAQ(fn.AllocLocal(bytes+most).Offset(most), to)
	fn.ANDQ(I8(-LineBytes), to)
}
