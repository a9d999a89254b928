package fallback

// FastLocalAddKey sets the bits of one hash.
func FastLocalAddKey(body []byte, probes int, hash uint64) {
	fastLocalSet(blockAt(body, Block(hash, numBlocks(body))), uint32(hash>>32), probes)
}

// FastLocalAddIfAbsent sets the bits of one hash, and reports whether it set any.
func FastLocalAddIfAbsent(body []byte, probes int, hash uint64) bool {
	if FastLocalContains(body, probes, hash) {
		return false
	}
	FastLocalAddKey(body, probes, hash)
	return true
}
