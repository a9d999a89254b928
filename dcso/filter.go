// Package dcso queries and writes the filters of [DCSO/bloom], byte for byte, without copying them. Large
// public sets are published in its format: CIRCL's hashlookup, for example. The same files come from
// DCSO/flor in Python, hashlookup/fleur in C and hashlookup/poppy in Rust (its version 1).
//
// [Open] reads a header from memory, [OpenFile] maps a file, and [Read] reads a stream, in gzip, too:
//
//	f, err := dcso.OpenFile("hashlookup-full.bloom")
//	if err != nil {
//		return err
//	}
//	defer f.Close()
//	f.ContainsString("301C9EC7A9AADEE4D745E8FD4FA659DAFDCF7C7B")
//
// Keys are any bytes. The tools take a line without its newline, and change no letters: a set of upper-case
// hexadecimal digits does not have those in lower case. (fleur on amd64 and arm64 Macs hashes bytes from 0x80 on
// differently. Give [Filter.ContainsHash] such a hash.)
//
// [Filter.ContainsKeys] and [Filter.ContainsHashes] look up many keys: they overlap cache misses, and, in
// mapped files that memory does not hold, reads from disk. [Mutable] accepts keys.
//
// The original changed how a key's bits are chosen: see [Rule]. Files do not say which rule they need, except the
// oldest ones. They have no checksum either: flipped bits are not found. [Filter.Verify] finds headers that no
// tool writes.
//
// New filters take less time in the formats of the [other packages], where a key's bits are in one or
// two cache lines. Here they are in k.
//
// [DCSO/bloom]: https://pkg.go.dev/github.com/DCSO/bloom
// [other packages]: https://pkg.go.dev/github.com/simdbloom/simdbloom
package dcso

import (
	"encoding/binary"
	"math"
	"runtime"

	"github.com/simdbloom/simdbloom/internal/classic"
)

// Filter is a stored filter. [Open], [Read] and [OpenFile] return it. It is immutable: any number of
// goroutines may use it at once. Queries allocate nothing.
type Filter struct {
	header
	data  []byte // the filter, and the free data behind it
	m     classic.Divisor
	rule  Rule
	array classic.Bits
}

// header has the numbers of a filter's header.
type header struct {
	words    int // where the bits begin
	end      int // where they end
	capacity uint64
	rate     float64
	bits     uint64
	k        int
}

// Contains reports whether the key may have been added. False means that it was not.
//
// It costs the key's hash, on the order of a nanosecond a byte, and one ContainsHash.
func (f *Filter) Contains(key []byte) bool { return f.ContainsHash(Sum(key)) }

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool { return f.ContainsHash(SumString(key)) }

// ContainsHash is Contains of a key by its hash.
//
// It costs a few nanoseconds for each probe that is cached, otherwise a cache miss for each: some of
// these overlap. It ends at an absent key's first zero bit.
func (f *Filter) ContainsHash(hash uint64) bool {
	s := f.rule.start(hash)
	found := true
	for i := 1; i <= f.k && found; i++ {
		s = f.rule.next(s, i)
		bit := f.m.Remainder(s.at)
		found = f.data[f.words+int(bit/8)]>>(bit%8)&1 != 0
	}
	runtime.KeepAlive(f)
	return found
}

// Capacity returns the number of keys that the filter was made for. The original calls it n, and
// MaxNumElements.
func (f *Filter) Capacity() uint64 { return f.capacity }

// FPR returns the false-positive rate that the filter was made for. The original calls it p. For the
// rate that it has, call EstimatedFPR.
func (f *Filter) FPR() float64 { return f.rate }

// M returns the number of bits.
func (f *Filter) M() uint64 { return f.bits }

// K returns the number of probes, and so of bits that a key sets.
func (f *Filter) K() int { return f.k }

// Keys returns how many keys changed a bit when they were added, according to the header. The original calls it N.
// Joined filters have the sum, or, from Poppy, an estimate.
func (f *Filter) Keys() uint64 {
	if f.isOldest() {
		return uint64(binary.LittleEndian.Uint32(f.data[20:]))
	}
	return binary.LittleEndian.Uint64(f.data[40:])
}

// Data returns the bytes behind the filter, which programs use as they like. They are part of the memory
// that Open was given: do not change them, nor use a file's after Close.
func (f *Filter) Data() []byte { return f.data[f.end:] }

// Bytes returns all bytes: those that Open was given. Do not change them, nor use a file's after Close.
func (f *Filter) Bytes() []byte { return f.data }

// SizeBytes returns the size of the filter without Data: 48, and 8 for each 64 bits.
func (f *Filter) SizeBytes() int { return f.end }

// EstimatedFPR returns the filter's false-positive rate, computed from the bits that are set: the
// share of ones to the power of k. It reads the whole filter, at some gigabytes a second.
func (f *Filter) EstimatedFPR() float64 {
	return classic.FPR(f.ones(), f.bits, f.k)
}

// EstimatedKeys returns about how many different keys were added, computed from the bits that are set:
// +Inf if all are. It reads the whole filter, as EstimatedFPR does.
func (f *Filter) EstimatedKeys() float64 {
	return classic.Keys(f.ones(), f.bits, f.k)
}

// ones counts the bits that are set.
func (f *Filter) ones() uint64 {
	n := f.array.Ones()
	runtime.KeepAlive(f)
	return min(n, f.bits) // there can be others behind m
}

// isOldest reports whether the header is that of v0.2.0 and before.
func (h *header) isOldest() bool { return h.words == oldestBytes }

// assumedRule returns the rule that Open assumes.
func (h *header) assumedRule() Rule {
	if h.isOldest() {
		return Seeded
	}
	return Multiply
}

// bitsFor returns the number of bits for n keys at a rate, before it is rounded down, and probesFor the number of
// probes for m bits. The original computes them in this order, and floating-point numbers round.
func bitsFor(n uint64, rate float64) float64 {
	return -float64(n) * math.Log(rate) / math.Pow(math.Log(2), 2)
}

func probesFor(m float64, n uint64) float64 { return math.Ceil(math.Log(2) * m / float64(n)) }
