package main

import (
	"math/bits"
	"math/rand/v2"
)

// atOnce is how many hashes are drawn and looked up at a time.
const atOnce = 4096

// source has random hashes. A copy of it has the same, but in the same memory: they must not
// be drawn at the same time.
type source struct {
	random rand.ChaCha8
	hashes *[atOnce]uint64
}

func newSource(seed [32]byte) source {
	return source{*rand.NewChaCha8(seed), new([atOnce]uint64)}
}

// draw calls f with the next n hashes, in slices.
func (s *source) draw(n int, f func(some []uint64)) {
	for ; n > 0; n -= atOnce {
		some := s.hashes[:min(n, atOnce)]
		for i := range some {
			some[i] = s.random.Uint64()
		}
		f(some)
	}
}

// answers are room for those of a slice of hashes.
type answers [atOnce / 64]uint64

// count returns how many of some hashes a filter may contain.
func (a *answers) count(f filter, some []uint64) (n int) {
	f.ContainsHashBits(some, a[:])
	for _, word := range a[:(len(some)+63)/64] {
		n += bits.OnesCount64(word)
	}
	return n
}
