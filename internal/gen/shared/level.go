package shared

import (
	. "github.com/mmcloughlin/avo/operand"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// The levels of package cpu, as it numbers them.
const (
	LevelAVX2   = 1
	levelAVX512 = 2
)

// UnlessLevel jumps to the label "other" unless the current level is the given one. An argument for it would be two
// instructions more.
func UnlessLevel(fn *kernel.Function, level kernel.Level) {
	compareLevel(fn, level)
	fn.JNE(LabelRef("other"))
}

// UnlessFrom does so unless it is the given one or a higher one.
func UnlessFrom(fn *kernel.Function, level kernel.Level) {
	compareLevel(fn, level)
	fn.JCS(LabelRef("other"))
}

func compareLevel(fn *kernel.Function, level kernel.Level) {
	fn.CMPB(fn.Variable("currentLevel"), U8(numberOf[level]))
}

// numberOf has package cpu's numbers of the levels.
var numberOf = map[kernel.Level]uint8{kernel.AVX2: LevelAVX2, kernel.AVX512: levelAVX512}
