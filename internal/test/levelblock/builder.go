// Package levelblock builds filter blocks of LevelDB's tables (table/filter_block.cc) for tests of what reads them.
package levelblock

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom/internal/formats/leveldb"
	"github.com/simdbloom/simdbloom/keyhash"
)

const (
	mostFilters  = 1 << 24 // in a block: a file of 32 GiB with LevelDB's base of 11
	mostBaseLg   = 63
	offsetBytes  = 4
	trailerBytes = offsetBytes + 1 // where the offsets begin, and the base
)

// Builder collects the keys of a table and returns its filter block: a filter for every range of 2^baseLg bytes of the
// file, for the keys of the data blocks that begin there. RocksDB's block-based filter, which ended with 7.4, is the
// same with [keyhash.RocksDB32], and with each new prefix added before its key where it has a prefix_extractor
// (table/block_based/block_based_filter_block.cc).
type Builder struct {
	bitsPerKey int64
	baseLg     int
	hash       keyhash.Hash

	filters []byte   // of the ranges before this one
	offsets []uint32 // where each begins
	keys    int      // in them
	hashes  []uint64 // of this range
}

// New returns an empty builder of filter blocks with the given number of bits per key. The zero Hash stands for
// [keyhash.LevelDB32].
func New(bitsPerKey float64, baseLg int, hash keyhash.Hash) *Builder {
	whole, err := leveldb.WholeBits(bitsPerKey)
	if baseLg < 0 || baseLg > mostBaseLg {
		err = fmt.Errorf("baseLg must be 0 to %d, not %d", mostBaseLg, baseLg)
	}
	if err != nil {
		panic("leveldb: " + err.Error())
	}
	return &Builder{bitsPerKey: whole, baseLg: baseLg, hash: cmp.Or(hash, keyhash.LevelDB32)}
}

// StartBlock begins the keys of the data block at this offset of the file. It panics if the offset is in a range before
// that of the last call, or in a range beyond the most filters, and if the block or a filter becomes too large.
func (b *Builder) StartBlock(offset uint64) {
	index := offset >> b.baseLg
	switch {
	case index < uint64(len(b.offsets)):
		panic(fmt.Sprintf("leveldb: a data block at offset %d after one of a later range: offsets must ascend", offset))
	case index > mostFilters:
		panic(fmt.Sprintf("leveldb: a data block at offset %d needs more than %d filters", offset, mostFilters))
	}
	for index > uint64(len(b.offsets)) {
		b.endRange()
	}
}

// Add adds a key of the current data block, or a prefix. Repeated ones are kept, as in LevelDB.
func (b *Builder) Add(key []byte) { b.AddHash(b.hash.Sum64(key)) }

// AddHash adds a key, or a prefix, by its hash.
func (b *Builder) AddHash(hash uint64) { b.hashes = append(b.hashes, hash) }

// Len returns the number of keys and prefixes added since the last Finish.
func (b *Builder) Len() int { return b.keys + len(b.hashes) }

// SizeBytes returns the exact size of the block that Finish would return now. If that would
// panic, it is the size that is too large.
func (b *Builder) SizeBytes() int { return int(min(b.size(), math.MaxInt)) }

func (b *Builder) size() uint64 {
	size := uint64(len(b.filters)) + offsetBytes*uint64(len(b.offsets)) + trailerBytes
	if len(b.hashes) == 0 {
		return size
	}
	return size + b.pendingBytes() + offsetBytes
}

// pendingBytes returns the size of the current range's filter, which has keys.
func (b *Builder) pendingBytes() uint64 {
	return leveldb.BodyBytes(uint64(len(b.hashes)), b.bitsPerKey) + leveldb.TrailerBytes
}

// endRange makes the filter of the keys of the current range, if there are any.
func (b *Builder) endRange() {
	n, filter := len(b.filters), uint64(0)
	if len(b.hashes) > 0 {
		filter = b.pendingBytes()
	}
	if filter > leveldb.MostBodyBytes+leveldb.TrailerBytes || b.size() > min(math.MaxUint32, math.MaxInt) {
		panic(fmt.Sprintf("leveldb: another filter of %d bytes is too large: a filter may have 512 MiB, and a block 4 GiB", filter))
	}
	b.offsets = append(b.offsets, uint32(n))
	if filter == 0 {
		return
	}
	b.filters = leveldb.AppendFilter(b.filters, filter, b.bitsPerKey, b.hashes)
	b.keys += len(b.hashes)
	b.hashes = b.hashes[:0]
}

// Finish returns the filter block's bytes and leaves the builder empty and ready for the next
// table. Without keys and data blocks it has 5 bytes, as LevelDB's. It panics as
// [Builder.StartBlock] does if the block becomes too large.
func (b *Builder) Finish() []byte {
	if len(b.hashes) > 0 {
		b.endRange()
	}
	data, begin := b.filters, len(b.filters)
	for _, offset := range b.offsets {
		data = binary.LittleEndian.AppendUint32(data, offset)
	}
	data = binary.LittleEndian.AppendUint32(data, uint32(begin))
	b.filters = nil
	b.Reset()
	return append(data, byte(b.baseLg))
}

// Reset drops all keys and filters.
func (b *Builder) Reset() {
	b.filters, b.offsets, b.hashes = b.filters[:0], b.offsets[:0], b.hashes[:0]
	b.keys = 0
}
