package asm

// CopyUnequal is [fallback.CopyUnequal]. It panics if room is shorter than hashes.
func CopyUnequal(room []uint64, before uint64, hashes []uint64) (kept int) {
	return copyUnequal(room[:len(hashes)], before, hashes)
}
