package main

import (
	"encoding/binary"

	standard "github.com/bits-and-blooms/bloom/v3"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// bitsAndBloomsGrowing is the filter of bits-and-blooms. In place of hashes it has keys of 8
// bytes.
type bitsAndBloomsGrowing struct {
	filter *standard.BloomFilter
	inMemory
}

const standardFilter = "bits-and-blooms"

func (*bitsAndBloomsGrowing) name() string { return standardFilter }

func (b *bitsAndBloomsGrowing) place(memory []byte, fill filling) (bytes int, has chosen, err error) {
	b.filter = bitsAndBloomsIn(memory, fill)
	b.memory = memory
	return int(b.filter.Cap() / 8), probes(int(b.filter.K())), nil
}

func (b *bitsAndBloomsGrowing) addHashes(hashes []uint64) {
	f := b.filter
	var key [8]byte
	for _, hash := range hashes {
		binary.LittleEndian.PutUint64(key[:], hash)
		f.Add(key[:])
	}
}

func (b *bitsAndBloomsGrowing) addKeys(keys [][]byte) {
	f := b.filter
	for _, key := range keys {
		f.Add(key)
	}
}

func (b *bitsAndBloomsGrowing) turnHashes(added, queried []uint64) (found int) {
	f := b.filter
	var key, other [8]byte
	for i, hash := range added {
		binary.LittleEndian.PutUint64(key[:], hash)
		binary.LittleEndian.PutUint64(other[:], queried[i])
		f.Add(key[:])
		found += tables.One(f.Test(other[:]))
	}
	return found
}

func (b *bitsAndBloomsGrowing) turnKeys(added, queried [][]byte) (found int) {
	f := b.filter
	for i, key := range added {
		f.Add(key)
		found += tables.One(f.Test(queried[i]))
	}
	return found
}
