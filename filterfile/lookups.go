package filterfile

import (
	"runtime"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
)

// Contains reports whether the key may have been added. False means that it was not.
func (f *Filter) Contains(key []byte) bool {
	o := f.state()
	hit := o.Unchecked.Contains(key)
	if !o.Sound() && !o.CheckKey(key) {
		hit = true
	}
	runtime.KeepAlive(o)
	return hit
}

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool {
	o := f.state()
	hit := o.Unchecked.ContainsString(key)
	if !o.Sound() && !o.CheckHash(o.Unchecked.Hash().Sum64String(key)) {
		hit = true
	}
	runtime.KeepAlive(o)
	return hit
}

// ContainsUint64 is Contains of the value's 8 little-endian bytes.
func (f *Filter) ContainsUint64(value uint64) bool {
	o := f.state()
	hit := o.Unchecked.ContainsUint64(value)
	if !o.Sound() && !o.CheckHash(o.Unchecked.Hash().SumUint64(value)) {
		hit = true
	}
	runtime.KeepAlive(o)
	return hit
}

// ContainsHash is Contains of a key by its hash, which [Filter.Hash] must have computed.
func (f *Filter) ContainsHash(hash uint64) bool {
	o := f.state()
	hit := o.ContainsHash(hash)
	runtime.KeepAlive(o)
	return hit
}

// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It panics if hits is shorter than
// hashes, before it writes anything. It is the fastest way to look up many keys.
func (f *Filter) ContainsHashes(hashes []uint64, hits []bool) {
	o := f.state()
	o.ContainsHashes(hashes, hits)
	runtime.KeepAlive(o)
}

// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]), the rest of the last
// word to zero, and no later words. It panics if hits has less than a bit for each hash, before
// it writes anything.
func (f *Filter) ContainsHashBits(hashes, hits []uint64) {
	o := f.state()
	o.ContainsHashBits(hashes, hits)
	runtime.KeepAlive(o)
}

// ContainsKeys sets hits[i] to Contains(keys[i]), in less time than one by one. It panics if hits
// is shorter than keys, before it writes anything.
func (f *Filter) ContainsKeys(keys [][]byte, hits []bool) {
	o := f.state()
	o.Unchecked.ContainsKeys(keys, hits)
	if !o.Sound() {
		for i, key := range keys {
			hits[i] = !o.CheckKey(key) || hits[i]
		}
	}
	runtime.KeepAlive(o)
}

// ContainsUint64s sets hits[i] to ContainsUint64(values[i]), in less time than one by one. It panics if
// hits is shorter than values, before it writes anything.
func (f *Filter) ContainsUint64s(values []uint64, hits []bool) {
	o := f.state()
	o.Unchecked.ContainsUint64s(values, hits)
	if !o.Sound() {
		for i, value := range values {
			hits[i] = !o.CheckHash(o.Unchecked.Hash().SumUint64(value)) || hits[i]
		}
	}
	runtime.KeepAlive(o)
}

// AppendHits appends to dst the index of every hash that may have been added, in ascending
// order, and returns the extended slice.
func (f *Filter) AppendHits(dst []int, hashes []uint64) []int {
	o := f.state()
	if o.Sound() {
		dst = o.Unchecked.AppendHits(dst, hashes)
	} else {
		words := make([]uint64, asm.Words(len(hashes)))
		o.ContainsHashBits(hashes, words)
		dst = batches.AppendIndexes(dst, words, 0, len(hashes))
	}
	runtime.KeepAlive(o)
	return dst
}
