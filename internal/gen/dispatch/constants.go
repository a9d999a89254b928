package dispatch

// hashesByXX64 is a filter's keyHash.
const hashesByXX64 = 1

// Constants are the constants of packages asm, fallback and cpu that these kernels rely on, with the generator's
// values.
var Constants = map[string]int{
	"asm.XX64":  hashesByXX64,
	"asm.XXPH3": hashesByXX64 + 1, // as package hash numbers them
}
