package paired

// LowerHashBits is lowerHashBits, for tests.
const LowerHashBits = lowerHashBits

// What tests of rates compare with.
var (
	Remapped    = remapped
	PairRate    = pairRate
	PositionsOf = positionsOf
)
