package paired

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Kind is what the bytes of a filter turned out to be.
type Kind string

const (
	// Paired is the filter that this package builds and reads.
	Paired Kind = "Paired"
	// Empty is no bytes: it contains nothing.
	Empty Kind = "empty"
	// Reserved is what Speedb reads as "may contain everything": a future
	// format, or a filter that was given up while it was built.
	Reserved Kind = "reserved"
)

// Open returns the filter whose bytes are data, without copying them: they must
// neither change nor be freed while the filter is in use. hash must be the one
// that it was built with; for Speedb's files that is keyhash.XXPH3.
//
// Open takes any bytes, of any length and alignment, checks them in constant
// time, and reads them as Speedb does (SpdbPairedBloomFilterPolicy::
// GetFilterBitsReader): no bytes contain no key, and formats that it does not
// know may contain every key; Kind says what they are. Where Speedb would read
// out of bounds or say no for a truncated filter, Open returns an error that
// wraps ErrCorrupt. The zero Hash is an error too.
func Open(data []byte, hash keyhash.Hash) (*Filter, error) {
	if hash.IsZero() {
		return nil, wrap(answers.ErrNoHash)
	}
	reader, kind, flaw := read(data)
	if flaw != "" {
		return nil, wrap(answers.Corrupt(data, flaw))
	}
	return &Filter{reader: reader, kind: kind, hash: hash, size: len(data)}, nil
}

// MayContainHash is Open and ContainsHash in one call, without allocating. It
// answers true for bytes that Open refuses.
func MayContainHash(data []byte, hash uint64) bool {
	reader, _, flaw := read(data)
	return flaw != "" || reader.Contains(hash)
}

// read finds out what the bytes are, or what is wrong with them.
func read(data []byte) (reader answers.Reader, kind Kind, flaw string) {
	if len(data) == 0 {
		return answers.Always(false), Empty, ""
	}
	n := len(data) - trailerBytes
	if n <= 0 {
		return reader, "", "no room for a batch and the trailer"
	}
	body, trailer := data[:n], data[n:]
	probes := int(trailer[trailerProbes] & probesMask)
	batchBlocks := 0
	switch trailer[trailerBatch] {
	case batchSpeedb:
		batchBlocks = speedbBlocks
	case batchPublished:
		batchBlocks = publishedBlocks
	}
	if trailer[trailerType] != typePaired || trailer[trailerProbes]&^probesMask != 0 ||
		probes == 0 || probes > asm.MaxProbes ||
		batchBlocks == 0 || trailer[trailerReserved] != 0 {
		return answers.Always(true), Reserved, ""
	}
	switch {
	case len(body)%(batchBlocks*asm.BlockBytes) != 0:
		return reader, "", "no whole number of batches"
	case uint64(len(body)) > asm.MaxBodyBytes:
		return reader, "", "more than the format can count"
	}
	return answers.Paired(body, batchBlocks, probes), Paired, ""
}
