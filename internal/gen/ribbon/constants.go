package ribbon

// Constants are the constants of packages asm, fallback and cpu that these kernels rely on, with the generator's
// values.
var Constants = map[string]int{
	"asm.ribbonGroup":            groupColumns,
	"asm.bandRows":               bandRows,
	"asm.bandGroup":              bandGroup,
	"asm.frameSlots":             frameSlots,
	"asm.stepSlots":              stepSlots,
	"asm.windowColumns":          windowColumns,
	"fallback.MostRibbonColumns": mostRibbonColumns,
	"fallback.RibbonBlockSlots":  ribbonSlots,
}
