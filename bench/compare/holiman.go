package main

import (
	"errors"
	"math"
	"reflect"
	"unsafe"

	"github.com/cespare/xxhash/v2"
	locked "github.com/holiman/bloomfilter/v2"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// holiman is the filter of holiman/bloomfilter, a standard Bloom filter behind a lock. It is
// given hashes.
type holiman struct {
	filter *locked.Filter
	inMemory
}

func (*holiman) shared() {}

func (*holiman) name() string { return "holiman" }

// place gives the filter its bits, for which it has memory of its own otherwise.
func (h *holiman) place(memory []byte, fill filling) (bytes int, has chosen, err error) {
	k := uint64(math.Round(math.Ln2 * fill.bitsPerKey))
	if h.filter, err = locked.New(8*uint64(len(memory)), k); err != nil {
		return 0, chosen{}, err
	}
	field := reflect.ValueOf(h.filter).Elem().FieldByName("bits")
	if !field.IsValid() || field.Type() != reflect.TypeFor[[]uint64]() || 8*field.Len() != len(memory) {
		return 0, chosen{}, errors.New("another layout of its filter")
	}
	bits := (*[]uint64)(field.Addr().UnsafePointer())
	*bits = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/8)
	h.memory = memory
	return len(memory), probes(int(h.filter.K())), nil
}

func (h *holiman) addHashes(hashes []uint64) {
	f := h.filter
	for _, hash := range hashes {
		f.AddHash(hash)
	}
}

func (h *holiman) addKeys(keys [][]byte) {
	f := h.filter
	for _, key := range keys {
		f.AddHash(xxhash.Sum64(key))
	}
}

func (h *holiman) turnHashes(added, asked []uint64) (found int) {
	f := h.filter
	for i, hash := range added {
		f.AddHash(hash)
		found += tables.One(f.ContainsHash(asked[i]))
	}
	return found
}

func (h *holiman) turnKeys(added, asked [][]byte) (found int) {
	f := h.filter
	for i, key := range added {
		f.AddHash(xxhash.Sum64(key))
		found += tables.One(f.ContainsHash(xxhash.Sum64(asked[i])))
	}
	return found
}
