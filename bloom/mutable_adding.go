package bloom

// Add adds a key. It costs the key's hash and one cache line.
func (m *Mutable) Add(key []byte) { m.filter.kernel.Add(m.filter.hash.Sum64(key)) }

// AddString is Add of the string's bytes, without copying them.
func (m *Mutable) AddString(key string) { m.filter.kernel.Add(m.filter.hash.Sum64String(key)) }

// AddHash adds a key by its hash, which must be the filter's key hash. Use it if you have the
// hash already.
//
// It costs a few nanoseconds if the line is cached, otherwise one cache miss.
func (m *Mutable) AddHash(hash uint64) { m.filter.kernel.Add(hash) }

// AddHashes adds keys by their hashes. It is the fastest way to add eight keys or more: their
// cache misses overlap.
func (m *Mutable) AddHashes(hashes []uint64) { m.filter.kernel.AddAll(hashes) }

// AddKeys adds keys. It hashes and adds many at a time.
func (m *Mutable) AddKeys(keys [][]byte) { m.addKeys(keys) }

// AddIfAbsent adds a key, and reports whether Contains was false before: then the key is
// new. True means that the key was not added before; false, that it may have been. It costs
// little more than Add.
func (m *Mutable) AddIfAbsent(key []byte) bool {
	return m.filter.kernel.AddIfAbsent(m.filter.hash.Sum64(key))
}

// AddHashIfAbsent is AddIfAbsent of a key by its hash, which must be the filter's key hash.
func (m *Mutable) AddHashIfAbsent(hash uint64) bool { return m.filter.kernel.AddIfAbsent(hash) }
