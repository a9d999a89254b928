package bloom

// Contains reports whether the key may have been added. False means that it was not.
//
// It costs the key's hash and one cache line.
func (m *Mutable) Contains(key []byte) bool { return m.filter.Contains(key) }

// ContainsString is Contains of the string's bytes, without copying them.
func (m *Mutable) ContainsString(key string) bool { return m.filter.ContainsString(key) }

// ContainsHash is Contains of a key by its hash, which must be the filter's key hash.
//
// It costs a few nanoseconds if the line is cached, otherwise one cache miss.
func (m *Mutable) ContainsHash(hash uint64) bool { return m.filter.kernel.Contains(hash) }

// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It panics if hits is shorter than
// hashes, before it writes anything. It is the fastest way to look up eight keys or more.
func (m *Mutable) ContainsHashes(hashes []uint64, hits []bool) { m.filter.ContainsHashes(hashes, hits) }

// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]), the rest of the
// last word to zero, and no later words. hits must share no memory with hashes. It panics if
// hits has less than a bit for each hash, before it writes anything.
func (m *Mutable) ContainsHashBits(hashes, hits []uint64) { m.filter.ContainsHashBits(hashes, hits) }

// ContainsKeys sets hits[i] to Contains(keys[i]). It hashes and looks up many keys at a time.
// It panics if hits is shorter than keys, before it writes anything.
func (m *Mutable) ContainsKeys(keys [][]byte, hits []bool) { m.filter.ContainsKeys(keys, hits) }

// AppendHits appends to dst the index of every hash that may have been added, in ascending
// order, and returns the extended slice. It allocates only if dst is too small.
func (m *Mutable) AppendHits(dst []int, hashes []uint64) []int {
	return m.filter.AppendHits(dst, hashes)
}
