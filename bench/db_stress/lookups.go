package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/simdbloom/simdbloom/keyhash"
)

// lookups are a filter's ways to look up one key and several.
type lookups interface {
	Hash() keyhash.Hash
	Contains(key []byte) bool
	ContainsHash(hash uint64) bool
	ContainsKeys(keys [][]byte, hits []bool)
	ContainsHashes(hashes []uint64, hits []bool)
	ContainsHashBits(hashes, hits []uint64)
	AppendHits(dst []int, hashes []uint64) []int
}

// batchSize chooses how many keys a batch has.
func batchSize(r *rand.Rand) int {
	if r.IntN(8) == 0 {
		return 1 + r.IntN(700)
	}
	return 1 + r.IntN(70)
}

// lookUp looks up the keys of a filter and absent ones, in all ways, which must agree. It returns which of
// the absent keys may be contained.
func lookUp(f lookups, keys, absent [][]byte, r *rand.Rand) (positive []bool, err error) {
	positive = make([]bool, len(absent))
	order := r.Perm(len(keys) + len(absent))
	for len(order) > 0 {
		n := min(batchSize(r), len(order))
		batch, single := make([][]byte, n), make([]bool, n)
		for j, i := range order[:n] {
			if i < len(keys) {
				batch[j] = keys[i]
			} else {
				batch[j] = absent[i-len(keys)]
			}
			single[j] = f.Contains(batch[j])
			if i >= len(keys) {
				positive[i-len(keys)] = single[j]
			} else if !single[j] {
				return nil, fmt.Errorf("the key %q by Contains: no, and it was added", batch[j])
			}
		}
		if err := lookUpBatch(f, batch, single); err != nil {
			return nil, err
		}
		order = order[n:]
	}
	return positive, nil
}

// lookUpBatch looks up keys in every way that there is for several.
func lookUpBatch(f lookups, keys [][]byte, want []bool) error {
	var hashes []uint64
	for i, key := range keys {
		hashes = append(hashes, f.Hash().Sum64(key))
		if f.ContainsHash(hashes[i]) != want[i] {
			return fmt.Errorf("the key %q by ContainsHash: %v, and by Contains: %v", key, !want[i], want[i])
		}
	}
	wrong := func() []bool { // so that answers a batch does not write are found
		hits := slices.Clone(want)
		for i := range hits {
			hits[i] = !hits[i]
		}
		return hits
	}
	for _, way := range []struct {
		name string
		hits func() []bool
	}{
		{"ContainsKeys", func() []bool { hits := wrong(); f.ContainsKeys(keys, hits); return hits }},
		{"ContainsHashes", func() []bool { hits := wrong(); f.ContainsHashes(hashes, hits); return hits }},
		{"ContainsHashBits", func() []bool {
			hits, words := make([]bool, len(keys)), make([]uint64, (len(keys)+63)/64)
			f.ContainsHashBits(hashes, words)
			for i := range hits {
				hits[i] = words[i/64]>>(i%64)&1 == 1
			}
			return hits
		}},
		{"AppendHits", func() []bool {
			hits := make([]bool, len(keys))
			for _, i := range f.AppendHits(nil, hashes) {
				hits[i] = true
			}
			return hits
		}},
	} {
		for i, hit := range way.hits() {
			if hit != want[i] {
				return fmt.Errorf("the key %q by %s, number %d of %d: %v, and by Contains: %v", keys[i], way.name, i, len(keys), hit, want[i])
			}
		}
	}
	return nil
}
