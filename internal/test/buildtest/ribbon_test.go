package buildtest

import (
	"encoding/binary"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// Ribbon filters have a size that depends on the first hash, and a seed that is found by trying.

// fastLocal returns the kind of filter that is built instead.
func (k kind) fastLocal() kind {
	k.batch, k.probes = 0, "rocksdb_fastlocal"
	return k
}

// ribbonShape returns the size of the body and the number of blocks of a filter of the hashes, or
// false if it is a FastLocal one. They depend only on the number of hashes and on the first one,
// and package ribbon's tests compare them with RocksDB's, so this is a filter of other hashes,
// which have a solution.
func (k kind) ribbonShape(hashes []uint64) (bodyBytes int, blocks uint32, ok bool) {
	b, err := k.newBuilder(1, false)
	if err != nil {
		panic(err)
	}
	b.AddHash(hashes[0])
	b.AddHashes(vectors.Hashes(hashes[0], len(hashes)-1))
	data, err := b.Finish()
	if err != nil {
		panic(err)
	}
	bodyBytes = len(data) - k.fastLocal().trailerBytes()
	return bodyBytes, binary.LittleEndian.Uint32(data[bodyBytes+1:]) >> 8, data[bodyBytes] == ribbonMarker
}

func (k kind) naiveRibbon(hashes []uint64) []byte {
	if len(hashes) == 0 {
		return nil
	}
	if bodyBytes, blocks, ok := k.ribbonShape(hashes); ok {
		if data, ok := naive.Ribbon(hashes, int(blocks)*fallback.RibbonBlockSlots, bodyBytes, byte(hashes[0])); ok {
			return data
		}
	}
	return k.fastLocal().naive(hashes)
}

// plainRibbon adds all hashes to one band, in their order.
func (k kind) plainRibbon(hashes []uint64) []byte {
	if bodyBytes, blocks, ok := k.ribbonShape(hashes); ok {
		if data, ok := ribbonOf(bodyBytes, blocks, hashes); ok {
			return data
		}
	}
	return k.fastLocal().plain(hashes)
}

// ribbonOf builds a filter of a given shape. It reports false if no seed works.
func ribbonOf(bodyBytes int, blocks uint32, hashes []uint64) (data []byte, ok bool) {
	slots := int(blocks) * fallback.RibbonBlockSlots
	band := fallback.RibbonBand{Rows: make([][2]uint64, slots), Results: make([]uint32, slots)}
	for i := range 256 {
		seed := byte(hashes[0]) + byte(i)
		shape := fallback.NewRibbonShape(uint64(bodyBytes), blocks, seed)
		band.Clear(0, slots)
		if band.Add(slots, &shape, hashes, nil) {
			data := make([]byte, bodyBytes)
			fallback.RibbonSolveColumns(data, &shape, &band, 0, shape.Columns)
			return append(data, ribbonTrailer(seed, blocks)...), true
		}
	}
	return nil, false
}

const ribbonMarker = 0xfe

func ribbonTrailer(seed byte, blocks uint32) []byte {
	return binary.LittleEndian.AppendUint32([]byte{ribbonMarker}, blocks<<8|uint32(seed))
}
