package blocks

import (
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Constants are the constants of packages asm, fallback and cpu that these kernels rely on, with the generator's
// values.
var Constants = map[string]int{
	"asm.BlockBytes":      shared.LineBytes,
	"asm.MaxProbes":       MaxProbes,
	"asm.octet":           shared.Octet,
	"asm.SplitBlock":      splitBlockFormat,
	"asm.SplitBlockBytes": splitBlockBytes,
	"asm.mostOctetKeys":   mostOctetKeys,
	"asm.mostAddedProbes": rowProbes * len(legacyRowsOf),
}

// ConstantsNEON are those of the kernels for arm64.
var ConstantsNEON = map[string]int{
	"asm.BlockBytes": shared.LineBytes,
	"asm.neonKeys":   NEONKeys,
}
