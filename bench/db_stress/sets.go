package main

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	root "github.com/simdbloom/simdbloom"
)

// filterSet is filters of one key hash, and some keys that are in them.
type filterSet struct {
	filters []*root.Filter
	keys    [][]byte
}

// add adds a filter and a few of its keys.
func (s *filterSet) add(f *root.Filter, keys [][]byte) {
	const some = 16
	s.filters = append(s.filters, f)
	for i := 0; i < len(keys); i += 1 + len(keys)/some {
		s.keys = append(s.keys, keys[i])
	}
}

// manyWays are the functions that look up keys in several filters.
type manyWays struct {
	appendFilters func(dst []int, filters []*root.Filter, hash uint64) []int
	candidates    func(filters []*root.Filter, hashes, wanted []uint64) iter.Seq2[int, []int]
}

var together = manyWays{root.AppendFilters, root.Candidates}

// lookUp looks up the keys, and absent ones beside them, in all filters together, which must agree with one after the
// other.
func (s *filterSet) lookUp(r *rand.Rand, ways manyWays) error {
	keys := slices.Clone(s.keys)
	for _, key := range s.keys {
		keys = append(keys, append(slices.Clone(key), '-'))
	}
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for len(keys) > 0 {
		n := min(batchSize(r), len(keys))
		if err := s.lookUpBatch(keys[:n], r, ways); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

func (s *filterSet) lookUpBatch(keys [][]byte, r *rand.Rand, ways manyWays) error {
	hashes, wanted := make([]uint64, len(keys)), make([]uint64, (len(keys)+63)/64)
	for k, key := range keys {
		hashes[k] = s.filters[0].Hash().Sum64(key)
		wanted[k/64] |= 1 << (k % 64)
		var want []int
		for i, f := range s.filters {
			if f.ContainsHash(hashes[k]) {
				want = append(want, i)
			}
		}
		if got := ways.appendFilters(nil, s.filters, hashes[k]); !slices.Equal(got, want) {
			return fmt.Errorf("the key %q by AppendFilters: %d, and one by one: %d", key, got, want)
		}
	}
	next := 0 // the filter whose candidates come next
	check := func(upTo int, candidates []int) error {
		for ; next <= upTo; next++ {
			var want, got []int
			for k, hash := range hashes {
				if wanted[k/64]>>(k%64)&1 == 1 && s.filters[next].ContainsHash(hash) {
					want = append(want, k)
				}
			}
			if next == upTo {
				got = candidates
			}
			if !slices.Equal(got, want) {
				return fmt.Errorf("%d keys by Candidates in filter %d of %d: %d, and one by one: %d", len(keys), next, len(s.filters), got, want)
			}
		}
		return nil
	}
	for i, candidates := range ways.candidates(s.filters, hashes, wanted) {
		if err := check(i, candidates); err != nil {
			return err
		}
		for _, k := range candidates {
			if r.IntN(3) == 0 { // it is found
				wanted[k/64] &^= 1 << (k % 64)
			}
		}
	}
	return check(len(s.filters)-1, nil)
}
