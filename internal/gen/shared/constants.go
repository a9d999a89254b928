package shared

// Constants are the constants of packages asm, fallback and cpu that the kernels rely on, with the generator's values.
var Constants = map[string]int{
	"asm.formGeneric": 0, // the order of entries
	"asm.form256":     1,
	"asm.form512":     3,
	"asm.form512by32": 5,
	"cpu.AVX2":        LevelAVX2,
	"cpu.AVX512":      levelAVX512,
}
