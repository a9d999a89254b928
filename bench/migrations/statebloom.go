package main

import (
	"encoding/binary"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
)

// StateBloom has the nodes of a state, as the filter of go-ethereum's core/state/pruner: keys are hashes of 32 bytes.
type StateBloom struct{ filter *simdbloom.Concurrent }

// NewStateBloom returns a filter of size MiB, with the number of probes that suits a number of keys.
func NewStateBloom(keys, size int) (*StateBloom, error) {
	bytes := size<<20 + 5 // with FastLocal's trailer
	filter, err := bloom.NewConcurrent(keys, 8*float64(bytes)/float64(keys), keyhash.XX64, simdbloom.WithSizeBytes(bytes))
	return &StateBloom{filter}, err
}

func stateBloomHash(key []byte) uint64 { return binary.BigEndian.Uint64(key) }

// Put adds a key. It may be called concurrently.
func (s *StateBloom) Put(key []byte) { s.filter.AddHash(stateBloomHash(key)) }

// Contain reports whether a key may have been put. It may be called concurrently.
func (s *StateBloom) Contain(key []byte) bool { return s.filter.ContainsHash(stateBloomHash(key)) }

// Commit writes the filter to a file. It needs no temporary name, sync or rename: after a crash the file is there,
// whole, or it is not.
func (s *StateBloom) Commit(name string) error { return filterfile.WriteFile(name, s.filter) }

// OpenStateBloom maps a file that Commit wrote, and checks it. Its Contain takes stateBloomHash's hashes.
func OpenStateBloom(name string) (*filterfile.File, error) { return filterfile.Open(name) }
