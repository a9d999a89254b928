package leveldb

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/formats/leveldb"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Block is the filter block of a table: a filter for every range of the file. [OpenBlock]
// returns it. A Block is immutable: any number of goroutines may use it at once. Queries
// allocate nothing.
type Block struct {
	at   blockLayout
	hash keyhash.Hash
}

// OpenBlock returns the filter block whose bytes are data, without copying them: they must
// neither change nor be freed while the block is in use.
//
// It accepts any bytes, and checks them in a nanosecond or so for each filter. LevelDB's reader
// answers true where it cannot read a block (FilterBlockReader in table/filter_block.cc). Here
// this is an error that wraps [simdbloom.ErrCorrupt] and describes the mistake: no trailer, offsets of
// filters that are outside of the bytes, that descend or do not have 4 bytes each, a filter of
// a single byte, or a base above 63. The zero Hash stands for [keyhash.LevelDB32].
func OpenBlock(data []byte, hash keyhash.Hash) (*Block, error) {
	l, flaw := readLayout(data)
	if flaw == "" {
		flaw = l.flaw()
	}
	if flaw != "" {
		return nil, fmt.Errorf("leveldb: %w: %d bytes: %s", simdbloom.ErrCorrupt, len(data), flaw)
	}
	return &Block{l, cmp.Or(hash, keyhash.LevelDB32)}, nil
}

// MayContain reports whether the data block at this offset of the file may contain the key.
// False means that it does not. For a block behind the last filter the answer is true, as in
// LevelDB.
//
// It costs the key's hash, and a cache miss for each probe of a filter that is not cached.
func (b *Block) MayContain(blockOffset uint64, key []byte) bool {
	return b.at.mayContainHash(blockOffset, b.hash.Sum64(key))
}

// MayContainHash is MayContain of a key by its hash.
func (b *Block) MayContainHash(blockOffset, hash uint64) bool {
	return b.at.mayContainHash(blockOffset, hash)
}

// Filters returns the number of filters.
func (b *Block) Filters() int { return b.at.filters }

// BaseLg returns the logarithm of the number of bytes of the file that a filter is for: 11 in
// LevelDB's and RocksDB's tables.
func (b *Block) BaseLg() int { return int(b.at.baseLg) }

// Filter returns the bytes of a filter, which [Open] reads: none if no key is in its range. They
// are the block's own memory: do not change them. It panics if i is not from 0 up to Filters.
func (b *Block) Filter(i int) []byte {
	if i < 0 || i >= b.at.filters {
		panic(fmt.Sprintf("leveldb: a block of %d filters has no filter %d", b.at.filters, i))
	}
	start, limit := b.at.offset(i), b.at.offset(i+1)
	return b.at.data[start:limit:limit]
}

const (
	mostBaseLg        = 63 // the largest base that a 64-bit offset can be shifted by
	offsetBytes       = 4
	blockTrailerBytes = offsetBytes + 1 // where the offsets begin, and the base
)

// blockLayout is where in a block the filters are. The trailer's own first number follows the offsets
// and ends the last filter.
type blockLayout struct {
	data    []byte
	array   int // where the offsets begin
	filters int
	baseLg  byte
}

// readLayout reads the trailer.
func readLayout(data []byte) (l blockLayout, flaw string) {
	end := len(data) - blockTrailerBytes
	if end < 0 {
		return l, "too short for a filter block's trailer, 5 bytes"
	}
	array := binary.LittleEndian.Uint32(data[end:])
	if uint64(array) > uint64(end) {
		return l, "the filters' offsets would begin behind the block"
	}
	l = blockLayout{data, int(array), (end - int(array)) / offsetBytes, data[len(data)-1]}
	if l.baseLg > mostBaseLg {
		return l, fmt.Sprintf("the base is %d, more than %d", l.baseLg, mostBaseLg)
	}
	if (end-l.array)%offsetBytes != 0 {
		return l, "the filters' offsets do not have 4 bytes each"
	}
	return l, ""
}

// flaw returns the mistake in the offsets.
func (l *blockLayout) flaw() string {
	start := uint32(0)
	for i := range l.filters + 1 {
		limit := l.offset(i)
		switch {
		case limit < start:
			return fmt.Sprintf("filter %d ends before it begins", i-1)
		case uint64(limit) > uint64(l.array):
			return fmt.Sprintf("filter %d begins behind the filters", i)
		case i > 0 && limit-start == leveldb.TrailerBytes:
			return fmt.Sprintf("filter %d is too short for a body and the number of probes, 2 bytes", i-1)
		}
		start = limit
	}
	return ""
}

// offset returns where filter i begins, or the last filter ends.
func (l *blockLayout) offset(i int) uint32 {
	return binary.LittleEndian.Uint32(l.data[l.array+offsetBytes*i:])
}

// mayContainHash answers true behind the last filter, and where offsets are wrong: OpenBlock has checked them, but the
// bytes may be of a mapped file that was written since.
func (l *blockLayout) mayContainHash(blockOffset, hash uint64) bool {
	index := blockOffset >> l.baseLg
	if index >= uint64(l.filters) {
		return true
	}
	start, limit := l.offset(int(index)), l.offset(int(index)+1)
	if start > limit || uint64(limit) > uint64(l.array) {
		return true
	}
	return MayContainHash(l.data[start:limit], hash)
}
