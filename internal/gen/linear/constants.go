package linear

import (
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Constants are the constants of packages asm, fallback and cpu that these kernels rely on, with the generator's
// values.
var Constants = map[string]int{
	"asm.solvedLines":      solvedLines,
	"asm.mostSolvedLines":  mostSolvedLines,
	"asm.lineKeys":         lineKeys,
	"asm.lineSlots":        lineSlots,
	"asm.linearSeeds":      seeds,
	"asm.linearNear":       linearNear,
	"asm.linearHeadersFar": linearHeadersFar,
	"asm.quad":             shared.Quad,
	"asm.quadSlots":        quadSlots,
	"asm.rowSlots":         rowSlots,
	"fallback.linearHigh":  linearHigh,
	"fallback.linearLow":   linearLow,
}

// ConstantsNEON are those of the kernels for arm64.
var ConstantsNEON = map[string]int{
	"asm.linearKeys":      linearKeys,
	"asm.octet":           shared.Octet,
	"fallback.linearHigh": linearHigh,
	"fallback.linearLow":  linearLow,
}
