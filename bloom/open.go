package bloom

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Kind is what the bytes of a filter are. [Filter.Kind] returns it.
type Kind uint8

const (
	// Reserved is what RocksDB and Speedb read as "may contain everything": a future
	// format, or zeros in place of a filter that could not be built.
	Reserved Kind = iota
	// FastLocal is the filter that this package builds and reads.
	FastLocal
	// Empty is a filter of zero bytes. It contains no key.
	Empty
	// Legacy is RocksDB's full filter before format_version 5, which Pebble still
	// writes. It needs another key hash: here it may contain every key. Package legacy
	// reads it.
	Legacy
	// Ribbon is RocksDB's Ribbon filter. Here it may contain every key. Package ribbon
	// reads it.
	Ribbon
)

var kindNames = [...]string{
	Reserved: "reserved", FastLocal: "FastLocal", Empty: "empty", Legacy: "legacy", Ribbon: "Ribbon",
}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("bloom.Kind(%d)", uint8(k))
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
// table/block_based/filter_policy.cc): zero bytes contain no key, and kinds that
// it does not know may contain every key. [Filter.Kind] returns the kind. Where
// RocksDB would read out of bounds or say no for a truncated filter, Open returns an
// error that wraps [ErrCorrupt]. The zero Hash is an error too.
func Open(data []byte, hash keyhash.Hash) (*Filter, error) {
	if hash.IsZero() {
		return nil, wrap(answers.ErrNoHash)
	}
	body, probes, kind, flaw := read(data)
	if flaw != "" {
		return nil, wrap(answers.Corrupt(data, flaw))
	}
	return newFilter(data, contents{kind, probes, body}, hash), nil
}

// MayContainHash is Open and ContainsHash in one call, without allocating. It
// answers true for bytes that Open refuses.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs little
// more than ContainsHash: a few nanoseconds if the line is cached, otherwise one cache
// miss. Any number of goroutines may call it at once.
func MayContainHash(data []byte, hash uint64) bool {
	if f := asm.UsualFastLocal(data); f.OK() {
		return f.Contains(hash)
	}
	return mayContainUnusual(data, hash)
}

func mayContainUnusual(data []byte, hash uint64) bool {
	body, probes, kind, _ := read(data)
	if kind == FastLocal {
		return asm.FastLocalContains(body, probes, hash)
	}
	return kind != Empty
}

// contents is what a filter's bytes say.
type contents struct {
	kind   Kind
	probes int
	body   []byte
}

// read finds out what the bytes are, or what is wrong with them; then they count
// as Reserved. Only a FastLocal filter has a body, whole blocks, and probes.
func read(data []byte) (body []byte, probes int, kind Kind, flaw string) {
	if f := asm.UsualFastLocal(data); f.OK() {
		return f.Body(), f.Probes(), FastLocal, ""
	}
	if len(data) == 0 {
		return nil, 0, Empty, ""
	}
	n := len(data) - fastlocal.TrailerBytes
	if n <= 0 {
		return nil, 0, Reserved, fastlocal.TooShort
	}
	switch marker := data[n+fastlocal.TrailerMarker]; {
	case marker == fastlocal.MarkerRibbon:
		return nil, 0, Ribbon, ""
	case marker >= 1 && marker <= fastlocal.MarkerMaxLegacy:
		return nil, 0, Legacy, ""
	case marker != fastlocal.MarkerNewBloom:
		return nil, 0, Reserved, ""
	}
	body, probes, flaw = fastlocal.Read(data)
	if probes == 0 {
		return nil, 0, Reserved, flaw
	}
	return body, probes, FastLocal, ""
}
