package fallback

// CopyUnequal copies hashes to dst, without those that equal the one before them. before
// is the one before the first. dst must be at least as long as hashes; behind the copied
// hashes it may hold anything. It returns the number of copied hashes.
func CopyUnequal(dst []uint64, before uint64, hashes []uint64) (kept int) {
	dst = dst[:len(hashes)]
	for _, hash := range hashes {
		dst[kept] = hash
		if hash != before {
			kept++
		}
		before = hash
	}
	return kept
}
