package asm

import (
	"fmt"
	"unsafe"
)

// Keys are hashed in blocks, whose hashes are on the stack: a few keys in smaller blocks, because the stack is cleared
// at every call.
//
// The size of the blocks matters, because the kernels' prefetching begins anew with
// each. In ns a key (FastLocal, k=6, AVX-512, Zen 4, huge pages, keys of 16 bytes):
//
//	hashes    128   256   512  1024  2048  4096
//	 1 MiB    6.4         5.5         5.2   5.0
//	32 MiB    8.0   7.4   7.0   6.9
//	 1 GiB   11.5  11.0  10.6  10.7
//
// The lines of a block are not prefetched while the next block is hashed. That was tried,
// with two blocks of 64 to 512 hashes and prefetching after every 8 to 128. It takes 15 to
// 25 % longer, because nothing is gained by doing both at once, and the kernels prefetch
// again. Where everything is one kernel, it pays: see containsAlike.
const (
	fewKeys    = 8 // fewer are looked up one by one without assembly
	tinyBlock  = 16
	smallBlock = 64
	midBlock   = 512
	largeBlock = 2048
)

// mostLeft is the most keys beyond whole eights, of up to smallBlock, that are looked up one by one: an eight takes the
// time of six to seven single lookups (Blobloom and FastLocal with 12 probes, 16 KiB, AVX-512, Zen 4).
const mostLeft = 5

// ContainsKeys sets hits[i] to ContainsKey(keys[i]) for every key. It panics if hits is shorter than keys, before it
// writes anything.
func (k *Kernel) ContainsKeys(keys [][]byte, hits []bool) {
	if HashesKeys {
		containsKeys(k, keys, hits)
	} else {
		containsKeysInGo(k, keys, hits)
	}
}

// containsKeysInGo is ContainsKeys of keys that assembly does not take: it hashes and looks up blocks of keys. With
// assembly, a few keys beyond whole eights take less time one by one than as one more eight, unless they wait for
// memory. Its hashes take 5 KiB of the stack.
func containsKeysInGo(k *Kernel, keys [][]byte, hits []bool) {
	if len(hits) < len(keys) {
		panicKeys(len(hits), len(keys))
	}
	k = k.OfKeys()
	k.CheckOpen() // without keys, too
	if !HashesKeys && len(keys) < fewKeys {
		for i, key := range keys {
			hits[i] = k.Contains(k.sum(key))
		}
		return
	}
	if rest := len(keys) % octet; HashesKeys && 0 < rest && rest <= mostLeft && len(keys) <= smallBlock && !isFar(k.body) {
		whole := len(keys) - rest
		containsKeys(k, keys[whole:], hits[whole:])
		keys, hits = keys[:whole], hits[:whole]
	}
	if n := k.containsMany(keys, hits); n > 0 {
		keys, hits = keys[n:], hits[n:]
	}
	switch {
	case len(keys) <= tinyBlock:
		var hashes [tinyBlock]uint64
		k.containsBlocks(keys, hits, hashes[:])
	case len(keys) <= smallBlock:
		var hashes [smallBlock]uint64
		k.containsBlocks(keys, hits, hashes[:])
	case len(keys) <= largeBlock:
		var hashes [midBlock]uint64
		k.containsBlocks(keys, hits, hashes[:])
	default:
		k.containsLargeBlocks(keys, hits)
	}
}

// containsMany is containsAlike of enough keys for its kernels. It is inlined: in plain Go, two calls took 4 to 7 % of
// eight keys' time (Emerald Rapids).
func (k *Kernel) containsMany(keys [][]byte, hits []bool) (done int) {
	if len(keys) <= smallBlock {
		return 0
	}
	return k.containsAlike(keys, hits)
}

// containsLargeBlocks is a function by itself because its hashes take 16 KiB of the
// stack.
//
//go:noinline
func (k *Kernel) containsLargeBlocks(keys [][]byte, hits []bool) {
	var hashes [largeBlock]uint64
	k.containsBlocks(keys, hits, hashes[:])
}

// containsBlocks hashes and looks up a block of keys at a time.
func (k *Kernel) containsBlocks(keys [][]byte, hits []bool, hashes []uint64) {
	for len(keys) > 0 {
		n := k.containsMany(keys, hits)
		if n == 0 {
			n = min(len(hashes), len(keys))
			HashKeys(k.keyHash, k.outside, hashes[:n], keys[:n])
			k.ContainsBools(hashes[:n], hits[:n])
		}
		keys, hits = keys[n:], hits[n:]
	}
}

// AddKey is Add of a key's hash.
func (k *Kernel) AddKey(key []byte) {
	if HashesKeys {
		addKey(k, unsafe.SliceData(key), len(key))
	} else {
		addKeyInGo(k, unsafe.SliceData(key), len(key))
	}
}

// AddKeys is AddKey of every key. It hashes and adds a block of keys at a time.
func (k *Kernel) AddKeys(keys [][]byte) {
	var hashes [midBlock]uint64
	for len(keys) > 0 {
		n := min(len(hashes), len(keys))
		HashKeys(k.keyHash, k.outside, hashes[:n], keys[:n])
		k.AddAll(hashes[:n])
		keys = keys[n:]
	}
}

//go:noinline
func panicKeys(hits, keys int) {
	panic(fmt.Sprintf("simdbloom: len(hits) is %d, but there are %d keys", hits, keys))
}
