package paired

// Constants are the constants of packages asm, fallback and cpu that these kernels rely on, with the generator's
// values.
var Constants = map[string]int{
	"asm.nearChunk": pairedChunk,
	"asm.countKeys": countKeys,
}
