package policy

import (
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// rocksDB is the kind of a filter in RocksDB's tables. These have filters of several formats
// under one name, so whatever such a kind builds, it reads all of them.
type rocksDB struct{ kind }

func (k rocksDB) open(data []byte, hash keyhash.Hash) (Filter, error) {
	reader, own := k.reader(data, hash)
	f, err := reader.open(data, own)
	if err != nil || own == hash {
		return f, err
	}
	return keysOnly{f, f, hash}, nil
}

// reader returns the kind that reads the bytes, and the filter's key hash. The policy's own kind,
// with the given hash, reads what is in none of the formats.
func (k rocksDB) reader(data []byte, hash keyhash.Hash) (kind, keyhash.Hash) {
	switch {
	case isFastLocal(data):
		return fastLocal{}, keyhash.XXPH3
	case isRibbon(data):
		return columns{}, keyhash.XXPH3
	case isLegacy(data):
		return lines{}, rocksDB32
	}
	return k.kind, hash
}

func isLegacy(data []byte) bool { return marker(data)-1 < fastlocal.MarkerMaxLegacy }

func isFastLocal(data []byte) bool { return marker(data) == fastlocal.MarkerNewBloom }

func isRibbon(data []byte) bool { return marker(data) == fastlocal.MarkerRibbon }

// marker returns the first byte of the trailer, or 0 if there is no filter before it. In a legacy
// filter it is the number of probes.
func marker(data []byte) byte {
	if len(data) <= fastlocal.TrailerBytes {
		return 0
	}
	return data[len(data)-fastlocal.TrailerBytes]
}

// rocksDBContains looks up a key in a filter of RocksDB's tables, or Pebble's.
func rocksDBContains(data, key []byte) bool {
	switch marker(data) {
	case fastlocal.MarkerNewBloom:
		return bloom.MayContainHash(data, keyhash.XXPH3.Sum64(key))
	case fastlocal.MarkerRibbon:
		return ribbon.MayContainHash(data, keyhash.XXPH3.Sum64(key))
	}
	return legacy.MayContain(data, key) // other formats may contain every key
}

// rocksDBContainsHash looks up a hash in the filters of RocksDB's tables that have XXPH3, without
// another call for usual FastLocal ones.
func rocksDBContainsHash(data []byte, hash uint64) bool {
	if f := asm.UsualFastLocal(data); f.OK() {
		return f.Contains(hash)
	}
	if isRibbon(data) {
		return ribbon.MayContainHash(data, hash)
	}
	return bloom.MayContainHash(data, hash)
}

// keysOnly is a filter that was built with another key hash than the policy's. It looks up
// keys, and may contain every hash.
type keysOnly struct {
	keyFilter
	filter Filter
	hash   keyhash.Hash
}

func (f keysOnly) Hash() keyhash.Hash { return f.hash }

func (f keysOnly) CopyAligned() Filter {
	filter := f.filter.CopyAligned()
	return keysOnly{filter, filter, f.hash}
}

func (keysOnly) ContainsHash(uint64) bool { return true }

func (keysOnly) ContainsHashes(hashes []uint64, hits []bool) {
	for i := range hits[:len(hashes)] {
		hits[i] = true
	}
}

func (keysOnly) ContainsHashBits(hashes, hits []uint64) {
	words := hits[:asm.Words(len(hashes))]
	for i := range words {
		words[i] = ^uint64(0)
	}
	if rest := len(hashes) % 64; rest > 0 {
		words[len(words)-1] = 1<<rest - 1
	}
}

func (keysOnly) AppendHits(dst []int, hashes []uint64) []int {
	dst = slices.Grow(dst, len(hashes))
	for i := range hashes {
		dst = append(dst, i)
	}
	return dst
}
