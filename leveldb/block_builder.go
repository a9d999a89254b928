package leveldb

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom/internal/formats/leveldb"
	"github.com/simdbloom/simdbloom/internal/nocopy"
	"github.com/simdbloom/simdbloom/keyhash"
)

const (
	// MaxBlockFilters is the largest number of filters in a block that [BlockBuilder] writes.
	// With LevelDB's base of 11 this is a file of 32 GiB.
	MaxBlockFilters = 1 << 24

	// mostBaseLg is the largest base that a 64-bit offset can be shifted by.
	mostBaseLg = 63

	offsetBytes       = 4
	blockTrailerBytes = offsetBytes + 1 // where the offsets begin, and the base
)

// BlockBuilder collects the keys of a table and returns its filter block: a filter for every
// range of 2^baseLg bytes of the file, for the keys of the data blocks that begin there
// (LevelDB's table/filter_block.cc). RocksDB's block-based filter, which ended with 7.4, is the
// same with [keyhash.RocksDB32], and with each new prefix added before its key where it has a
// prefix_extractor (table/block_based/block_based_filter_block.cc).
//
//	b := leveldb.NewBlockBuilder(10, 11, keyhash.Hash{})
//	b.StartBlock(offset)  // for every data block, ascending, and then
//	b.Add(key)            // ... every key in it
//	data := b.Finish()    // the table's block "filter.leveldb.BuiltinBloomFilter2"
//
// It keeps 8 bytes for each key of a range, and the filters so far. One goroutine at a time may
// use a BlockBuilder. Do not copy it: go vet reports copies.
type BlockBuilder struct {
	_          nocopy.Mark
	bitsPerKey int64
	baseLg     int
	hash       keyhash.Hash

	filters []byte   // of the ranges before this one
	offsets []uint32 // where each begins
	keys    int      // in them
	hashes  []uint64 // of this range
}

// NewBlockBuilder returns an empty builder of filter blocks with the given number of bits per
// key, rounded as [NewBuilder] rounds them, and a filter for every 2^baseLg bytes of the file: 11 for
// LevelDB and RocksDB, an option of goleveldb. The zero Hash stands for [keyhash.LevelDB32]. It panics
// if the bits per key are an error for NewBuilder, or if baseLg is not from 0 to 63.
func NewBlockBuilder(bitsPerKey float64, baseLg int, hash keyhash.Hash) *BlockBuilder {
	whole, err := leveldb.WholeBits(bitsPerKey)
	if baseLg < 0 || baseLg > mostBaseLg {
		err = fmt.Errorf("baseLg must be 0 to %d, not %d", mostBaseLg, baseLg)
	}
	if err != nil {
		panic("leveldb: " + err.Error())
	}
	return &BlockBuilder{bitsPerKey: whole, baseLg: baseLg, hash: cmp.Or(hash, keyhash.LevelDB32)}
}

// StartBlock begins the keys of the data block at this offset of the file.
// LevelDB calls it with 0 at first, and also with the offset behind the last data block, so that
// every range up to there has a filter, of no bytes if no data block begins in it.
//
// It panics if the offset is in a range before that of the last call, or in a range beyond
// [MaxBlockFilters]: a builder would make millions of empty filters for an offset that is
// nonsense. It also panics if the block exceeds the format's 4 GiB, or a filter 512 MiB.
func (b *BlockBuilder) StartBlock(offset uint64) {
	index := offset >> b.baseLg
	switch {
	case index < uint64(len(b.offsets)):
		panic(fmt.Sprintf("leveldb: a data block at offset %d after one of a later range: offsets must ascend", offset))
	case index > MaxBlockFilters:
		panic(fmt.Sprintf("leveldb: a data block at offset %d needs more than %d filters", offset, MaxBlockFilters))
	}
	for index > uint64(len(b.offsets)) {
		b.endRange()
	}
}

// Add adds a key of the current data block, or a prefix. Repeated ones are kept, as in LevelDB.
func (b *BlockBuilder) Add(key []byte) { b.AddHash(b.hash.Sum64(key)) }

// AddHash adds a key, or a prefix, by its hash.
func (b *BlockBuilder) AddHash(hash uint64) { b.hashes = append(b.hashes, hash) }

// Len returns the number of keys and prefixes added since the last Finish.
func (b *BlockBuilder) Len() int { return b.keys + len(b.hashes) }

// SizeBytes returns the exact size of the block that Finish would return now. If that would
// panic, it is the size that is too large.
func (b *BlockBuilder) SizeBytes() int { return int(min(b.size(), math.MaxInt)) }

func (b *BlockBuilder) size() uint64 {
	size := uint64(len(b.filters)) + offsetBytes*uint64(len(b.offsets)) + blockTrailerBytes
	if len(b.hashes) == 0 {
		return size
	}
	return size + b.pendingBytes() + offsetBytes
}

// pendingBytes returns the size of the current range's filter, which has keys.
func (b *BlockBuilder) pendingBytes() uint64 {
	return leveldb.BodyBytes(uint64(len(b.hashes)), b.bitsPerKey) + leveldb.TrailerBytes
}

// endRange makes the filter of the keys of the current range, if there are any.
func (b *BlockBuilder) endRange() {
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
// [BlockBuilder.StartBlock] does if the block becomes too large.
func (b *BlockBuilder) Finish() []byte {
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
func (b *BlockBuilder) Reset() {
	b.filters, b.offsets, b.hashes = b.filters[:0], b.offsets[:0], b.hashes[:0]
	b.keys = 0
}
