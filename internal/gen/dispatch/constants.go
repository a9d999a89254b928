package dispatch

// Constants are the constants of packages asm, fallback and cpu that these kernels rely on, with the generator's values.
var Constants = map[string]int{
	"asm.ByXX64":  hashesByXX64,
	"asm.ByXXPH3": hashesByXXPH3,
}
