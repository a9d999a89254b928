package bloom

import "github.com/simdbloom/simdbloom/internal/answers"

// Contains reports whether the key may have been added. False means that no addition of it
// happened before.
//
// It costs the key's hash and one cache line.
func (c *Concurrent) Contains(key []byte) bool {
	return c.filter.kernel.ContainsShared(c.filter.hash.Sum64(key))
}

// ContainsString is Contains of the string's bytes, without copying them.
func (c *Concurrent) ContainsString(key string) bool {
	return c.filter.kernel.ContainsShared(c.filter.hash.Sum64String(key))
}

// ContainsHash is Contains of a key by its hash, which must be the filter's key hash.
//
// It costs a few nanoseconds if the line is cached, otherwise one cache miss.
func (c *Concurrent) ContainsHash(hash uint64) bool { return c.filter.kernel.ContainsShared(hash) }

// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It panics if hits is shorter than
// hashes, before it writes anything. It is the fastest way to look up eight keys or more.
func (c *Concurrent) ContainsHashes(hashes []uint64, hits []bool) {
	c.filter.ContainsHashes(hashes, hits)
}

// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]), the rest of the
// last word to zero, and no later words. hits must share no memory with hashes. It panics if
// hits has less than a bit for each hash, before it writes anything.
func (c *Concurrent) ContainsHashBits(hashes, hits []uint64) { c.filter.ContainsHashBits(hashes, hits) }

// ContainsKeys sets hits[i] to Contains(keys[i]). It hashes and looks up many keys at a time.
// It panics if hits is shorter than keys, before it writes anything.
func (c *Concurrent) ContainsKeys(keys [][]byte, hits []bool) {
	if len(keys) > answers.OneByOne {
		c.filter.ContainsKeys(keys, hits)
		return
	}
	answers.CheckKeys(keys, hits)
	for i, key := range keys {
		hits[i] = c.Contains(key)
	}
}

// AppendHits appends to dst the index of every hash that may have been added, in ascending
// order, and returns the extended slice. It allocates only if dst is too small.
func (c *Concurrent) AppendHits(dst []int, hashes []uint64) []int {
	return c.filter.AppendHits(dst, hashes)
}
