package fallback

// CopyUnequal copies hashes to room, without those that equal the one before them. before
// is the one before the first. room must be at least as long as hashes; behind the copied
// hashes it may hold anything. It returns the number of copied hashes.
func CopyUnequal(room []uint64, before uint64, hashes []uint64) (kept int) {
	room = room[:len(hashes)]
	for _, hash := range hashes {
		room[kept] = hash
		if hash != before {
			kept++
		}
		before = hash
	}
	return kept
}
