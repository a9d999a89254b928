package asm

import "github.com/simdbloom/simdbloom/internal/tables"

// multipliers has, for every number of probes, the factors of the high half of a
// hash: powers of phi, 2^32 divided by the golden ratio. Ones follow them: they repeat probe
// 0 where a vector has room for more probes than there are.
var multipliers tables.Table[probeRows]

// probeRows has the factors or summands of the probes, for every number of probes.
type probeRows [MaxProbes + 1][32]uint32

func multipliersOf(probes int) *[32]uint32 { return &multipliers.Of(fillMultipliers)[probes] }

func fillMultipliers(rows *probeRows) {
	const phi = 0x9e3779b9
	for probes := range rows {
		power := uint32(1)
		for i := range rows[probes] {
			rows[probes][i] = 1
			if i < probes {
				rows[probes][i] = power
			}
			power *= phi
		}
	}
}
