package paired

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Kind is what the bytes of a filter are. [Filter.Kind] returns it.
type Kind uint8

const (
	// Reserved is what RocksDB and Speedb read as "may contain everything": a future
	// format, or zeros in place of a filter that could not be built.
	Reserved Kind = iota
	// Paired is the filter that this package builds and reads.
	Paired
	// Empty is a filter of zero bytes. It contains no key.
	Empty
)

var kindNames = [...]string{Reserved: "reserved", Paired: "Paired", Empty: "empty"}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("paired.Kind(%d)", uint8(k))
}

// Open returns the filter whose bytes are data, without copying them: they must
// neither change nor be freed while the filter is in use. If data is memory-mapped,
// fault it in first: a batch runs in assembly and cannot be preempted during a page
// fault. hash must be the key hash that the filter was built with.
//
// Filters of Speedb's files have [keyhash.XXPH3].
//
// Open takes any bytes, of any length and alignment, checks them in constant
// time, and reads them as Speedb does (SpdbPairedBloomFilterPolicy::
// GetFilterBitsReader): zero bytes contain no key, and formats that it does not
// know may contain every key. [Filter.Kind] returns the kind. Where Speedb would read
// out of bounds or say no for a truncated filter, Open returns an error that
// wraps [ErrCorrupt]. The zero Hash is an error too.
func Open(data []byte, hash keyhash.Hash) (*Filter, error) {
	if hash.IsZero() {
		return nil, wrap(answers.ErrNoHash)
	}
	body, batchBlocks, probes, kind, flaw := read(data)
	if flaw != "" {
		return nil, wrap(answers.Corrupt(data, flaw))
	}
	return newFilter(data, contents{kind, batchBlocks, probes, body}, hash), nil
}

// MayContainHash is Open and ContainsHash in one call, without allocating. It
// answers true for bytes that Open refuses.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs little
// more than ContainsHash: a few nanoseconds if the lines are cached, otherwise one cache
// miss for an absent key and two for a present one. Any number of goroutines may call it
// at once.
func MayContainHash(data []byte, hash uint64) bool {
	if f := asm.UsualPaired(data); f.OK() {
		return f.Contains(hash)
	}
	return mayContainUnusual(data, hash)
}

func mayContainUnusual(data []byte, hash uint64) bool {
	body, batchBlocks, probes, kind, _ := read(data)
	if kind == Paired {
		return probes < 2 || asm.PairedContains(body, batchBlocks, probes, hash)
	}
	return kind != Empty
}

// contents is what a filter's bytes say.
type contents struct {
	kind        Kind
	batchBlocks int
	probes      int
	body        []byte
}

// read finds out what the bytes are, or what is wrong with them; then they count
// as Reserved. Only a paired filter has a body, whole batches, and probes.
func read(data []byte) (body []byte, batchBlocks, probes int, kind Kind, flaw string) {
	if f := asm.UsualPaired(data); f.OK() {
		return f.Body(), f.BatchBlocks(), f.Probes(), Paired, ""
	}
	if len(data) == 0 {
		return nil, 0, 0, Empty, ""
	}
	n := len(data) - trailerBytes
	if n <= 0 {
		return nil, 0, 0, Reserved, "too short for a batch and the trailer, 2,052 bytes"
	}
	trailer := (*[trailerBytes]byte)(data[n:])
	probes = int(trailer[trailerProbes] & probesMask)
	switch trailer[trailerBatch] {
	case batchSpeedb:
		batchBlocks = speedbBlocks
	case batchPublished:
		batchBlocks = publishedBlocks
	}
	if trailer[trailerType] != typePaired || trailer[trailerProbes]&^probesMask != 0 ||
		probes == 0 || probes > asm.MaxProbes ||
		batchBlocks == 0 || trailer[trailerReserved] != 0 {
		return nil, 0, 0, Reserved, ""
	}
	switch {
	case n&(batchBlocks*asm.BlockBytes-1) != 0:
		return nil, 0, 0, Reserved, "not a whole number of batches and the trailer"
	case uint64(n) > asm.MaxBodyBytes:
		return nil, 0, 0, Reserved, "longer than the format's 4 GiB"
	}
	return data[:n], batchBlocks, probes, Paired, ""
}
