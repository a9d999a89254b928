package bloom

// Add adds a key. It costs the key's hash, one cache line, and at most NumProbes atomic operations in
// it, or none if the key is present.
func (c *Concurrent) Add(key []byte) { c.filter.kernel.AddShared(c.filter.hash.Sum64(key)) }

// AddString is Add of the string's bytes, without copying them.
func (c *Concurrent) AddString(key string) { c.filter.kernel.AddShared(c.filter.hash.Sum64String(key)) }

// AddHash adds a key by its hash, which must be the filter's key hash.
func (c *Concurrent) AddHash(hash uint64) { c.filter.kernel.AddShared(hash) }

// AddHashes adds keys by their hashes. It is the fastest way to add many keys to a large
// filter: their cache misses overlap, which those of atomic operations do not by themselves.
func (c *Concurrent) AddHashes(hashes []uint64) { c.filter.kernel.AddAll(hashes) }

// AddKeys adds keys. It hashes and adds many at a time.
func (c *Concurrent) AddKeys(keys [][]byte) { c.addKeys(keys) }

// AddIfAbsent adds a key, and reports whether this call set a bit: then nobody had added the
// key before it began. False means that the key may have been added, before or meanwhile.
//
// When several calls race to add a key that the filter does not contain, at least one of them
// returns true, and several may, each of which has set some of the bits. All return false
// only if other keys, added meanwhile, set the bits that were missing; the key would then be a
// false positive of those.
func (c *Concurrent) AddIfAbsent(key []byte) bool {
	return c.filter.kernel.AddIfAbsentShared(c.filter.hash.Sum64(key))
}

// AddHashIfAbsent is AddIfAbsent of a key by its hash, which must be the filter's key hash.
func (c *Concurrent) AddHashIfAbsent(hash uint64) bool {
	return c.filter.kernel.AddIfAbsentShared(hash)
}
