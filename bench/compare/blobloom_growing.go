package main

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"
	blocked "github.com/greatroar/blobloom"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// blobloomGrowing is Blobloom's filter. It is given hashes, by the hash that its
// documentation takes.
type blobloomGrowing struct {
	filter *blocked.Filter
	inMemory
}

func (*blobloomGrowing) name() string { return "blobloom" }

func (b *blobloomGrowing) place(memory []byte, fill filling) (bytes int, has chosen, err error) {
	size, hashFunctions := blobloomFor(fill, len(memory))
	b.filter, err = blobloomIn(memory, hashFunctions)
	b.memory = memory
	return size, probes(hashFunctions - 1), err
}

func (b *blobloomGrowing) addHashes(hashes []uint64) {
	f := b.filter
	for _, hash := range hashes {
		f.Add(hash)
	}
}

func (b *blobloomGrowing) addKeys(keys [][]byte) {
	f := b.filter
	for _, key := range keys {
		f.Add(xxhash.Sum64(key))
	}
}

func (b *blobloomGrowing) turnHashes(added, queried []uint64) (found int) {
	f := b.filter
	for i, hash := range added {
		f.Add(hash)
		found += tables.One(f.Has(queried[i]))
	}
	return found
}

func (b *blobloomGrowing) turnKeys(added, queried [][]byte) (found int) {
	f := b.filter
	for i, key := range added {
		f.Add(xxhash.Sum64(key))
		found += tables.One(f.Has(xxhash.Sum64(queried[i])))
	}
	return found
}

// blobloomSync is Blobloom's filter for several goroutines.
type blobloomSync struct {
	filter *blocked.SyncFilter
	inMemory
}

func (*blobloomSync) shared() {}

func (*blobloomSync) name() string { return "blobloom sync" }

func (b *blobloomSync) place(memory []byte, fill filling) (bytes int, has chosen, err error) {
	size, hashFunctions := blobloomFor(fill, len(memory))
	b.filter, b.memory = blocked.NewSync(blocked.BlockBits, hashFunctions), memory
	return size, probes(hashFunctions - 1), moveBlobloom(unsafe.Pointer(b.filter), memory)
}

func (b *blobloomSync) addHashes(hashes []uint64) {
	f := b.filter
	for _, hash := range hashes {
		f.Add(hash)
	}
}

func (b *blobloomSync) addKeys(keys [][]byte) {
	f := b.filter
	for _, key := range keys {
		f.Add(xxhash.Sum64(key))
	}
}

func (b *blobloomSync) turnHashes(added, queried []uint64) (found int) {
	f := b.filter
	for i, hash := range added {
		f.Add(hash)
		found += tables.One(f.Has(queried[i]))
	}
	return found
}

func (b *blobloomSync) turnKeys(added, queried [][]byte) (found int) {
	f := b.filter
	for i, key := range added {
		f.Add(xxhash.Sum64(key))
		found += tables.One(f.Has(xxhash.Sum64(queried[i])))
	}
	return found
}
