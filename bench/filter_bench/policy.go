package main

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// filter is a filter for lookups.
type filter interface {
	Contains(key []byte) bool
	ContainsHash(hash uint64) bool
	ContainsKeys(keys [][]byte, hits []bool)
	ContainsHashes(hashes []uint64, hits []bool)
	SizeBytes() int
}

// filterPolicy builds filters and opens them.
type filterPolicy interface {
	String() string
	Hash() keyhash.Hash
	PredictedFPR(n int, options ...simdbloom.Option) float64
	NewBuilder(options ...simdbloom.Option) *simdbloom.Builder
	Open(data []byte) (filter, error)
}

// parsed is a policy of the library. Tests have others.
type parsed struct{ *policy.Policy }

// Open returns the filter whose bytes are data.
func (p parsed) Open(data []byte) (filter, error) { return p.Policy.Open(data) }
