package filterblock

import (
	"bytes"
	"fmt"
	"math"
	"sort"
)

// IndexFormat is the format of the index of partitions. The zero value is RocksDB's format
// today. Earlier versions and some options differ; two table properties say so.
type IndexFormat struct {
	// FullHandles: every row has the length of its handle, and the whole of it, as before
	// format_version 4 (property rocksdb.index.value.is.delta.encoded is 0).
	FullHandles bool

	// InternalKeys: every key has 8 bytes behind the user key, a sequence number and a kind, as
	// before format_version 3, and where two versions of a key are in two partitions
	// (property rocksdb.index.key.is.user.key is 0).
	InternalKeys bool

	// TimestampBytes is how many bytes of a user-defined timestamp each user key ends in. [ReadIndex] leaves
	// them out: filters have keys without it.
	TimestampBytes int

	// RestartInterval is RocksDB's index_block_restart_interval: a key shares no prefix with the one
	// before in every row of this number. 0 is RocksDB's default, 1: no key does. Readers
	// do not need it.
	RestartInterval int

	// MaxKeyBytes is how many bytes all keys together may have for [ReadIndex]. 0 is 64 times the
	// block's size, and 64 MiB more. Give less for a block that was compressed, or a small file could take
	// much memory.
	MaxKeyBytes int
}

// Index is the index of a filter's partitions, in the order of the table. All keys of a partition
// are at or before its index key, and after the one of the partition before. (If versions of one key
// are in two partitions, it is the index key of the first.) Any number of goroutines may use it at
// once.
type Index struct {
	handles []Handle
	keys    []byte
	ends    []uint32 // of the keys in keys
}

// mostKeyBytes is the limit that MaxKeyBytes is for a block of the given size. Prefixes that are shared
// could make any number of bytes.
func (f IndexFormat) mostKeyBytes(size int) uint64 {
	most := uint64(f.MaxKeyBytes)
	if most == 0 {
		most = 64<<20 + 64*uint64(size)
	}
	return min(most, math.MaxUint32, math.MaxInt)
}

// ReadIndex reads the index of partitions: a block of RocksDB's, without the trailer. No bytes at all are an index
// without partitions. It keeps nothing of the block. Any other bytes that are no such block are an error that wraps
// [simdbloom.ErrCorrupt]. Longer keys than the format's MaxKeyBytes are another error: the block may be sound. It does
// not know where the file ends: a handle may be any.
//
// It costs on the order of 10 ns a partition.
func ReadIndex(block []byte, format IndexFormat) (*Index, error) {
	partitions, size, most := 0, uint64(0), format.mostKeyBytes(len(block))
	for r, err := range eachRow(block, format) {
		if err != nil {
			return nil, err
		}
		partitions++
		if size += uint64(len(r.key)); size > most {
			return nil, fmt.Errorf("filterblock: the index of partitions has keys of more than %d bytes in all, which share prefixes", most)
		}
	}
	x := &Index{make([]Handle, 0, partitions), make([]byte, 0, size), make([]uint32, 0, partitions)}
	for r := range eachRow(block, format) {
		x.keys = append(x.keys, r.key...)
		x.ends = append(x.ends, uint32(len(x.keys)))
		x.handles = append(x.handles, r.Handle)
	}
	return x, nil
}

// Len returns the number of partitions.
func (x *Index) Len() int { return len(x.handles) }

// Handle returns where a partition is. It panics if i is not the number of a partition.
func (x *Index) Handle(i int) Handle { return x.handles[i] }

// Key returns the index key of a partition: a user key. It is the Index's own memory: do not change
// it. It panics if i is not the number of a partition.
func (x *Index) Key(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = x.ends[i-1]
	}
	return x.keys[from:x.ends[i]:x.ends[i]]
}

// Find returns the partition that a user key is in, if it is in the table: the first whose index key
// is at or after it. If there is none it is the last partition, as in RocksDB; it is -1 if there
// are no partitions. compare is the table's comparator; nil is the order of bytes. It costs a binary search.
func (x *Index) Find(key []byte, compare func(a, b []byte) int) int {
	return min(x.find(key, compare, 0, x.Len()), x.Len()-1)
}

// find returns the first partition of a range whose index key is at or after the key, or the range's
// end.
func (x *Index) find(key []byte, compare func(a, b []byte) int, from, to int) int {
	if compare != nil {
		return from + sort.Search(to-from, func(i int) bool { return compare(x.Key(from+i), key) >= 0 })
	}
	for from < to { // the same, without a call for each step
		middle := int(uint(from+to) / 2)
		if bytes.Compare(x.Key(middle), key) < 0 {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}

// findNear is Find for a key that is probably in the given partition, or a little behind it.
func (x *Index) findNear(key []byte, compare func(a, b []byte) int, at int) int {
	if compare == nil {
		compare = bytes.Compare
	}
	isBefore := func(i int) bool { return compare(x.Key(i), key) < 0 } // the index key of a partition
	end := x.Len()
	if at < end && !isBefore(at) {
		if at == 0 || isBefore(at-1) {
			return at
		}
		return x.find(key, compare, 0, at)
	}
	step := 1
	for at+step < end && isBefore(at+step) {
		at += step
		step *= 2
	}
	return max(min(x.find(key, compare, at+1, min(at+step, end)), end-1), 0)
}

// sorted reports whether the index keys are in order.
func (x *Index) sorted(compare func(a, b []byte) int) bool {
	if compare == nil {
		compare = bytes.Compare
	}
	for i := 1; i < x.Len(); i++ {
		if compare(x.Key(i-1), x.Key(i)) > 0 {
			return false
		}
	}
	return true
}
