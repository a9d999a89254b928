// Package keyhash turns keys into the 64-bit hashes that filters are built from and queried
// with.
//
// A filter knows only the hashes of keys. If its readers use another hash function than
// its builder did, it gives wrong answers, including "no" for keys that were added. That
// is why filters have no default hash: NewBuilder and Open both require one, and a
// policy's recorded name contains it. (The formats of packages legacy and leveldb have a
// hash of their own, of 32 bits, which theirs default to.)
//
//   - [XX64] is the choice for new filters: XXH64 with seed 0, which other libraries have, too.
//   - [XXPH3] is the hash of RocksDB's and Speedb's files, which no other libraries have. If nobody else reads the
//     filters, it needs less time for keys of up to 128 bytes: 1.4 to 1.9 ns less for one of 4 to 32 bytes, and about
//     half of XX64's for batches in AVX2 and plain Go. With AVX-512, batches take about the same (Zen 4).
//   - [RocksDB32] and [LevelDB32] are the hashes of older files, and of Pebble's.
//   - [New] wraps a hash that a database already computes.
//
// [Column] is a column of numbers or strings, which are hashed where databases have them.
package keyhash

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/hashing"
)

// Hash is a key hash: a small, comparable value that may be copied and used by
// any number of goroutines at once. The zero Hash cannot hash: builders and filters
// refuse it with an error, and its methods other than IsZero and Bits panic.
type Hash struct{ alg *algorithm }

// algorithm is a built-in key hash, or calls a function from outside. The compiler sees that a built-in one does
// not keep the key, so a key on the caller's stack stays there. It cannot see that of a
// function from outside.
type algorithm struct {
	name    string
	kind    asm.KeyHash
	outside func([]byte) uint64
	batch   asm.OutsideKeyHash // calls outside
}

var (
	// XX64 is XXH64 with seed 0, as github.com/cespare/xxhash computes it
	// (specification: github.com/Cyan4973/xxHash, doc/xxhash_spec.md).
	XX64 = Hash{&algorithm{name: "XX64", kind: asm.XX64}}

	// XXPH3 is XXPH3_64bits with seed 0 of RocksDB's util/xxph3.h, the key hash
	// of RocksDB's and Speedb's filters. It is a preview of XXH3 that RocksDB
	// froze: the final XXH3 gives other values.
	XXPH3 = Hash{&algorithm{name: "XXPH3", kind: asm.XXPH3}}

	// RocksDB32 is the hash of 32 bits of RocksDB's filters of before format_version 5, which
	// Pebble writes (RocksDB's util/hash.cc): package legacy's. The bytes behind a key's last whole
	// four are extended by their sign. Like all hashes of 32 bits it is the low half of the 64, and
	// only packages legacy and leveldb build filters with it.
	RocksDB32 = Hash{&algorithm{name: "RocksDB32", kind: asm.RocksDB32}}

	// LevelDB32 is the hash of 32 bits of LevelDB's filters since 1.18 and of goleveldb's (LevelDB's
	// util/hash.cc). It differs from RocksDB32 if one of the last len(key)%4 bytes is above 0x7f.
	LevelDB32 = Hash{&algorithm{name: "LevelDB32", kind: asm.LevelDB32}}

	// LevelDB32Signed is RocksDB32: the same function by the name that it has for LevelDB's filters before 1.18 and for
	// RocksDB's block-based filter. Package leveldb's filters are recorded with this name, and ForName knows both.
	LevelDB32Signed = RocksDB32

	builtins = [...]Hash{XX64, XXPH3, RocksDB32, LevelDB32}
)

// ForName returns the built-in Hash of the given name, or the zero Hash if there is no such hash.
func ForName(name string) Hash {
	if name == "LevelDB32Signed" {
		return LevelDB32Signed
	}
	for _, h := range builtins {
		if h.alg.name == name {
			return h
		}
	}
	return Hash{}
}

// New returns a Hash that calls sum. The name stands for the function for ever: change
// it whenever a key's hash changes. New panics if the name is empty or a
// built-in hash's, or if sum is nil. Hashes are equal only if they come from one call of New: call it once, and
// keep the Hash.
//
// sum must be a pure function whose 64 bits are all well mixed. Several goroutines may
// call it at once. It must not keep the key, which is a copy in memory that is used
// again. The copy costs on the order of 10 ns a key, and with AppendHashes a few
// nanoseconds; keys of more than 64 KiB cost an allocation, too. If you already have the
// hash, call AddHash and ContainsHash instead.
func New(name string, sum func(key []byte) uint64) Hash {
	switch {
	case name == "" || !ForName(name).IsZero():
		panic(fmt.Sprintf("keyhash: New's name must not be empty, or that of a built-in hash, but is %q", name))
	case sum == nil:
		panic("keyhash: New's sum must not be nil")
	}
	a := &algorithm{name: name, outside: sum}
	a.batch = a.sumsOutside
	return Hash{a}
}

// IsZero reports whether h is the zero Hash, which cannot hash.
func (h Hash) IsZero() bool { return h.alg == nil }

// Bits returns the number of bits that hashes have: 64, or 32 of the older formats' hashes.
func (h Hash) Bits() int {
	if h.alg != nil && (h.alg.kind == asm.LevelDB32 || h.alg.kind == asm.RocksDB32) {
		return 32
	}
	return 64
}

// Name returns the hash's name: "XX64", for example, or the name passed to [New]. Record it
// beside stored filters.
func (h Hash) Name() string {
	if h.alg == nil {
		panicZero()
	}
	return h.alg.name
}

// Sum64 returns the hash of key. It keeps nothing of key and allocates nothing, except for
// very long keys of a Hash from [New]. Short keys take a few nanoseconds.
func (h Hash) Sum64(key []byte) uint64 {
	if h.alg == nil {
		panicZero()
	}
	switch h.alg.kind {
	case asm.XX64:
		if hashing.XX64IsShort(len(key)) {
			return hashing.XX64Finish(hashing.XX64Rest(hashing.XX64First(key), key))
		}
		return xxhash.Sum64(key)
	case asm.XXPH3:
		// A call less for the commonest lengths.
		switch n := len(key); {
		case n > 8 && n <= 16:
			return hashing.XXPH3Of16(key)
		case n > 16 && n <= 128:
			return hashing.XXPH3Of128(key)
		}
		return hashing.XXPH3(key)
	case asm.LevelDB32:
		return uint64(hashing.Unsigned32(key))
	case asm.RocksDB32:
		return uint64(hashing.Signed32(key))
	default:
		return h.alg.sumOutside(key)
	}
}

//go:noinline
func panicZero() {
	panic("simdbloom: zero keyhash.Hash, as in a zero Filter or Builder: use Open or NewBuilder")
}

// Sum64String is Sum64 of a string's bytes, without copying them.
func (h Hash) Sum64String(key string) uint64 {
	return h.Sum64(unsafe.Slice(unsafe.StringData(key), len(key)))
}

// SumUint64 is [Hash.Sum64] of the key's 8 bytes in little-endian order, whatever the
// machine's own order is.
func (h Hash) SumUint64(key uint64) uint64 {
	if h.alg == nil {
		panicZero()
	}
	switch h.alg.kind {
	case asm.XX64:
		return hashing.XX64Word(key)
	case asm.XXPH3:
		return hashing.XXPH3Word(key)
	case asm.LevelDB32, asm.RocksDB32:
		return hashing.Word32(key)
	default:
		var bytes [8]byte
		binary.LittleEndian.PutUint64(bytes[:], key)
		return h.alg.sumOutside(bytes[:])
	}
}

// AppendHashes appends the hash of every key to dst, in order, and returns the
// extended slice. It allocates only if dst is too small. Keys that are scattered over memory are loaded
// many at a time.
//
// It is faster than Sum64 of each key. With AVX-512 or AVX2, eight keys are hashed together, whatever their lengths:
// with [XX64] keys of up to 127 bytes (AVX-512: 255), with [XXPH3] 128, and with hashes of 32 bits 1,023. Nanoseconds a
// key in plain Go, AVX2 and AVX-512 (Zen 4, BenchmarkAppendHashes):
//
//	bytes      XX64             XXPH3            RocksDB32
//	8          2.5  1.6  0.8    3.0  1.1  0.8    3.4  2.8  1.5
//	16         3.8  2.2  0.9    2.8  1.1  1.0    5.4  3.2  1.9
//	24         4.5  3.0  1.2    4.1  2.5  1.9    7.2  3.8  2.4
//	64        12.6  7.5  2.9    5.7  3.7  3.2   18.9  4.2  3.4
//	0 to 31   15.8  6.9  3.2    8.2  4.9  3.6   13.7  4.9  3.1
//	10 to 60  19.9 11.8  5.0    7.6  5.0  4.2   17.8  7.0  4.7
//	0 to 127  23.8 16.0  6.7   10.4  9.3  8.2   25.9 13.2  8.8
func (h Hash) AppendHashes(dst []uint64, keys [][]byte) []uint64 {
	if h.alg == nil {
		panicZero()
	}
	from := len(dst)
	dst = slices.Grow(dst, len(keys))[:from+len(keys)]
	h.alg.sums(dst[from:], keys)
	return dst
}

// sums sets the sums of keys.
func (a *algorithm) sums(sums []uint64, keys [][]byte) { asm.HashKeys(a.kind, a.batch, sums, keys) }

// sumsUint64 sets the sums of keys of 64 bits.
func (a *algorithm) sumsUint64(sums, keys []uint64) {
	switch a.kind {
	case asm.XX64:
		asm.HashUint64s(sums, keys)
	case asm.XXPH3:
		for i, key := range keys {
			sums[i] = hashing.XXPH3Word(key)
		}
	case asm.LevelDB32, asm.RocksDB32:
		for i, key := range keys {
			sums[i] = hashing.Word32(key)
		}
	default:
		sumsOutsideNumbers(a, sums, keys)
	}
}

// sumsUint32 sets the sums of keys of 32 bits.
func (a *algorithm) sumsUint32(sums []uint64, keys []uint32) {
	switch a.kind {
	case asm.XX64:
		asm.HashUint32s(sums, keys)
	case asm.XXPH3:
		for i, key := range keys {
			sums[i] = hashing.XXPH3Half(key)
		}
	case asm.LevelDB32, asm.RocksDB32:
		for i, key := range keys {
			sums[i] = hashing.Half32(key)
		}
	default:
		sumsOutsideNumbers(a, sums, keys)
	}
}
