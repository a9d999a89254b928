package building

// hashedAtOnce is the number of keys that AddKeys hashes before it adds the hashes.
// The log puts that many into lists without copying them once more.
const hashedAtOnce = 1024

// AddKeys adds keys. Their hashes are in memory that the builder keeps: on the stack
// they cannot be, because other goroutines may put them into the log.
func (b *Builder) AddKeys(keys [][]byte) {
	if b.hashed == nil && len(keys) > 0 {
		b.hashed = make([]uint64, 0, hashedAtOnce)
	}
	for len(keys) > 0 {
		n := min(hashedAtOnce, len(keys))
		b.log.AddAll(b.hash.AppendHashes(b.hashed, keys[:n]))
		keys = keys[n:]
	}
}
