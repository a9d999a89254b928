package rates

// PairedLowerHashBits is pairedLowerHashBits, for tests.
const PairedLowerHashBits = pairedLowerHashBits

// What tests of paired filters compare with.
var (
	Remapped        = remapped
	PairRate        = pairRate
	PairedPositions = pairedPositions
)
