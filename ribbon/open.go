package ribbon

import (
	"encoding/binary"
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Kind is what the bytes of a filter are. [Filter.Kind] returns it.
type Kind uint8

const (
	// Reserved is what RocksDB reads as "may contain everything": a future format, a Ribbon
	// filter of less than two blocks, or zeros in place of a filter that could not be built.
	Reserved Kind = iota
	// Ribbon is the filter that this package builds of most numbers of keys.
	Ribbon
	// Empty is a filter of zero bytes. It contains no key.
	Empty
	// FastLocal is RocksDB's Bloom filter, which this package builds of few keys.
	FastLocal
	// Legacy is RocksDB's full filter before format_version 5, which Pebble still
	// writes. It needs another key hash: here it may contain every key. Package legacy
	// reads it.
	Legacy
)

var kindNames = [...]string{
	Reserved: "reserved", Ribbon: "Ribbon", Empty: "empty", FastLocal: "FastLocal", Legacy: "legacy",
}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("ribbon.Kind(%d)", uint8(k))
}

// Open returns the filter whose bytes are data, without copying them: they must
// neither change nor be freed while the filter is in use. If data is memory-mapped,
// fault it in first: a batch runs in assembly and cannot be preempted during a page
// fault. hash must be the key hash that the filter was built with.
//
// Filters of RocksDB's files have [keyhash.XXPH3].
//
// Open takes any bytes, of any length and alignment, checks them in constant
// time, and reads them as RocksDB does (BuiltinFilterPolicy in
// table/block_based/filter_policy.cc): Ribbon and FastLocal filters are looked up, zero bytes
// contain no key, and kinds that it does not know may contain every key. [Filter.Kind] returns
// the kind. Where RocksDB would say no for a truncated filter, and for a Ribbon filter that is
// not whole segments of 16 bytes, at least one, Open returns an error that wraps [ErrCorrupt].
// The zero Hash is an error too.
func Open(data []byte, hash keyhash.Hash) (*Filter, error) {
	if hash.IsZero() {
		return nil, wrap(answers.ErrNoHash)
	}
	c, flaw := read(data)
	if flaw != "" {
		return nil, wrap(answers.Corrupt(data, flaw))
	}
	return newFilter(data, c, hash), nil
}

// MayContainHash is Open and ContainsHash in one call, without allocating. It
// answers true for bytes that Open refuses.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs a few nanoseconds
// more than ContainsHash. Any number of goroutines may call it at once.
func MayContainHash(data []byte, hash uint64) bool {
	if f := asm.UsualRibbon(data); f.OK() {
		return f.Contains(hash)
	}
	return mayContainUnusual(data, hash)
}

func mayContainUnusual(data []byte, hash uint64) bool {
	c, _ := read(data)
	switch c.kind {
	case Ribbon:
		return asm.RibbonContains(c.body, c.blocks, c.seed, hash)
	case FastLocal:
		return asm.FastLocalContains(c.body, c.probes, hash)
	}
	return c.kind != Empty
}

// contents is what a filter's bytes say. Only Ribbon and FastLocal filters have a body.
type contents struct {
	kind   Kind
	seed   byte   // of a Ribbon filter
	blocks uint32 // likewise
	probes int    // of a FastLocal filter
	body   []byte
}

// read finds out what the bytes are, or what is wrong with them; then they count as Reserved.
func read(data []byte) (c contents, flaw string) {
	if len(data) == 0 {
		return contents{kind: Empty}, ""
	}
	n := len(data) - trailerBytes
	if n <= 0 {
		return c, "too short for a segment and the trailer, 21 bytes"
	}
	switch marker := data[n+fastlocal.TrailerMarker]; {
	case marker == fastlocal.MarkerRibbon:
		return readRibbon(data, n)
	case marker >= 1 && marker <= fastlocal.MarkerMaxLegacy:
		return contents{kind: Legacy}, ""
	case marker != fastlocal.MarkerNewBloom:
		return c, ""
	}
	body, probes, flaw := fastlocal.Read(data)
	if probes == 0 {
		return c, flaw
	}
	return contents{kind: FastLocal, probes: probes, body: body}, ""
}

// readRibbon reads bytes that end in a Ribbon filter's trailer, behind a body of n bytes.
func readRibbon(data []byte, n int) (c contents, flaw string) {
	blocks := binary.LittleEndian.Uint32(data[n+trailerSeed:]) >> 8
	switch {
	case n < asm.RibbonSegmentBytes:
		return c, "too short for a segment and the trailer, 21 bytes"
	case n%asm.RibbonSegmentBytes != 0:
		return c, "a Ribbon filter, but not a whole number of 16-byte segments and the trailer"
	case blocks < asm.LeastRibbonBlocks:
		return c, ""
	}
	return contents{kind: Ribbon, seed: data[n+trailerSeed], blocks: blocks, body: data[:n]}, ""
}
