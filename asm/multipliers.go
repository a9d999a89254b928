package asm

// multipliers has for every number of probes what the high half of a hash is
// multiplied by: the powers of phi, 2^32 divided by the golden ratio. From there
// on there are ones, which repeat probe 0 where a vector has room for more probes
// than there are.
var multipliers = func() (rows [MaxProbes + 1][32]uint32) {
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
	return rows
}()

// setsOf are, for each number of probes of a block, the first eight multipliers, and
// those that bring the position of the other set of probes to the top of a product.
var setsOf = func() (rows [MaxProbes/2 + 1][16]uint32) {
	for probes := range rows {
		for i, multiplier := range multipliers[probes][:8] {
			rows[probes][i], rows[probes][8+i] = multiplier, multiplier<<9
		}
	}
	return rows
}()
