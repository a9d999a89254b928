package fallback

// CopyUnequal copies hashes to room, which is at least as long, each unless it equals
// the one before. It returns how many it copied. Beyond those, room may hold anything.
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
