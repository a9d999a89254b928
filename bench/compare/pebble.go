package main

import (
	pebbledb "github.com/cockroachdb/pebble/v2"
	pebblebloom "github.com/cockroachdb/pebble/v2/bloom"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// inPebble is a filter in Pebble.
type inPebble struct {
	policy pebbledb.FilterPolicy
	data   []byte
}

func (f *inPebble) sizeBytes() int { return len(f.data) }

func (f *inPebble) eachInStore(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.policy.MayContain(pebbledb.TableFilter, f.data, key) {
			hits += tables.Read()
		}
	}
	return hits
}

// pebble is Pebble's own filter. It has no batches.
type pebble struct {
	inPebble
	own pebblebloom.FilterPolicy
}

func (f *pebble) each(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.own.MayContain(pebbledb.TableFilter, f.data, key) {
			hits += tables.Read()
		}
	}
	return hits
}

func (f *pebble) batch(keys [][]byte, hits []bool) {
	for i, key := range keys {
		hits[i] = f.own.MayContain(pebbledb.TableFilter, f.data, key)
	}
}

type pebbleBuilder struct {
	policy pebblebloom.FilterPolicy
	pebbledb.FilterWriter
}

func newPebble(_ int, bitsPerKey float64) (builder, error) {
	policy := pebblebloom.FilterPolicy(bitsPerKey)
	return &pebbleBuilder{policy, policy.NewWriter(pebbledb.TableFilter)}, nil
}

func (b *pebbleBuilder) add(keys [][]byte) error {
	for _, key := range keys {
		b.AddKey(key)
	}
	return nil
}

func (b *pebbleBuilder) finish() (filter, error) {
	return &pebble{inPebble{b.policy, b.Finish(nil)}, b.policy}, nil
}
