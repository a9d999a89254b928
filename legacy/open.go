package legacy

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/hash32"
)

// Kind is what the bytes of a filter are. [Filter.Kind] returns it.
type Kind uint8

const (
	// Reserved is what RocksDB reads as "may contain everything": zero probes, zeros in
	// place of a filter that could not be built, or lines that the format does not have.
	Reserved Kind = iota
	// Legacy is the filter that this package builds and reads.
	Legacy
	// Empty is a filter of zero bytes, or Pebble's five zero bytes. It contains no key.
	Empty
	// FastLocal is one of RocksDB's and Speedb's newer Bloom filters. They need another key
	// hash: here it may contain every key.
	FastLocal
	// Ribbon is RocksDB's Ribbon filter. Here it may contain every key.
	Ribbon
)

var kindNames = [...]string{
	Reserved: "reserved", Legacy: "legacy", Empty: "empty", FastLocal: "FastLocal", Ribbon: "Ribbon",
}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("legacy.Kind(%d)", uint8(k))
}

// Open returns the filter whose bytes are data, without copying them: they must neither change
// nor be freed while the filter is in use. If data is memory-mapped, fault it in first: a batch
// runs in assembly and cannot be preempted during a page fault.
//
// Open takes any bytes, of any length and alignment, checks them in constant time, and reads
// them as RocksDB does (BuiltinFilterPolicy in table/block_based/filter_policy.cc), lines of
// other sizes than 64 bytes included: kinds that it does not know may contain every key.
// [Filter.Kind] returns the kind. Where RocksDB would read out of bounds or say no for a
// truncated filter, Open returns an error that wraps [ErrCorrupt]. A filter without lines, on
// which Pebble's reader panics, may contain every key.
func Open(data []byte) (*Filter, error) {
	c, flaw := read(data)
	if flaw != "" {
		return nil, wrap(answers.Corrupt(data, flaw))
	}
	return newFilter(data, c), nil
}

// MayContain is Open and Contains in one call, without allocating. It answers true for bytes
// that Open refuses.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs the key's hash
// and a few nanoseconds if the line is cached, otherwise one cache miss. Any number of
// goroutines may call it at once.
func MayContain(data, key []byte) bool {
	if f := asm.UsualLegacy(data); f.OK() {
		return f.ContainsKey(key)
	}
	return mayContainUnusual(data, hash32.Signed(key))
}

// MayContainHash is MayContain of a key by its [Hash].
func MayContainHash(data []byte, hash uint32) bool {
	if f := asm.UsualLegacy(data); f.OK() {
		return f.Contains(hash)
	}
	return mayContainUnusual(data, hash)
}

func mayContainUnusual(data []byte, hash uint32) bool {
	c, _ := read(data)
	if c.kind == Legacy {
		f := asm.NewLegacy(c.body, c.lines, c.probes)
		return f.Contains(hash)
	}
	return c.kind != Empty
}

// contents is what a filter's bytes say. Only a legacy filter has a body, lines and probes.
type contents struct {
	kind   Kind
	body   []byte
	lines  uint32
	probes int
}

// read finds out what the bytes are, or what is wrong with them; then they count as Reserved.
func read(data []byte) (c contents, flaw string) {
	n := len(data) - trailerBytes
	switch {
	case len(data) == 0 || n == 0 && [trailerBytes]byte(data) == [trailerBytes]byte{}:
		return contents{kind: Empty}, ""
	case n <= 0:
		return c, "too short for a line and the trailer, 6 bytes"
	}
	switch marker := data[n]; {
	case marker == markerNewBloom:
		return contents{kind: FastLocal}, ""
	case marker == markerRibbon:
		return contents{kind: Ribbon}, ""
	case marker == 0 || marker >= firstOtherMarker:
		return c, ""
	}
	c = contents{Legacy, data[:n], binary.LittleEndian.Uint32(data[n+1:]), int(data[n])}
	size, lines := uint64(n), uint64(c.lines)
	if lines*asm.BlockBytes != size && uint32(lines*asm.BlockBytes) == uint32(size) {
		return contents{}, "not as long as the lines of 64 bytes that it counts"
	}
	if lines == 0 || size%lines != 0 || bits.OnesCount64(size/lines) != 1 {
		return contents{}, ""
	}
	return c, ""
}
