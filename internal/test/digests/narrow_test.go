package digests

import "slices"

// narrowFilter is a filter of a format whose hashes have 32 bits.
type narrowFilter interface {
	ContainsHash(hash uint32) bool
	ContainsHashes(hashes []uint32, hits []bool)
	ContainsHashBits(hashes []uint32, hits []uint64)
	ContainsKeys(keys [][]byte, hits []bool)
}

// narrowAnswers has the digests of a filter's answers to keys, of which it has the first n, and
// to more hashes. where is added to the names of the queries.
func narrowAnswers(name, where string, f narrowFilter, hash func(key []byte) uint32, n int, more ...uint32) []result {
	queried := slices.Concat(keys()[:min(n, mostQueried)], keys()[mostAdded:])
	hashes := make([]uint32, len(queried), len(queried)+len(more))
	for i, key := range queried {
		hashes[i] = hash(key)
	}
	hashes = append(hashes, more...)
	alone, batch, ofKeys := make([]bool, len(hashes)), make([]bool, len(hashes)), make([]bool, len(hashes))
	for i, hash := range hashes {
		alone[i] = f.ContainsHash(hash)
	}
	f.ContainsHashes(hashes, batch)
	f.ContainsKeys(queried, ofKeys)
	f.ContainsHashes(more, ofKeys[len(queried):])
	words := make([]uint64, (len(hashes)+63)/64)
	f.ContainsHashBits(hashes, words)
	name += ": answers"
	return []result{
		{name, "ContainsHash" + where, digestOfAnswers(alone)},
		{name, "ContainsHashes" + where, digestOfAnswers(batch)},
		{name, "ContainsHashBits" + where, digestOfAnswers(unpacked(nil, words, len(hashes)))},
		{name, "ContainsKeys" + where, digestOfAnswers(ofKeys)},
	}
}
