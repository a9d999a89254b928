package asm

import (
	"encoding/binary"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// A database passes a filter's bytes anew for every key. If they are as builders write them, one look at
// the trailer says so, and the lookup checks nothing else. The formats' packages read all other bytes;
// their tests compare what is usual here with what their builders write.
//
// For FastLocal and Legacy, whose lookups are the shortest, Go code that is inlined looks at the trailer:
// in the kernel it would cost 0.3 ns more.

// fastLocalBytes are the checked bytes of a FastLocal filter, for a single lookup. (It has
// at most four words, so that it is passed in registers.)
type fastLocalBytes struct {
	body         *byte
	size, probes int
}

// The last eight bytes of a FastLocal filter, without the three before its trailer and
// the number of probes, which may have any value.
const (
	fastLocalEndMask = 0xffff_e0ff_ff00_0000
	fastLocalEnd     = 0x0000_0000_ff00_0000

	fastLocalTrailerBytes = 5
	probesMask            = 1<<5 - 1
)

// UsualFastLocal returns the filter if data is a FastLocal filter, a body and a trailer of five
// bytes. Builders write whole blocks. Of other bodies, the part of a block at the end is unused, as
// in RocksDB.
func UsualFastLocal(data []byte) (f fastLocalBytes, ok bool) {
	size := (len(data) - fastLocalTrailerBytes) &^ (BlockBytes - 1)
	if uint64(size-BlockBytes) > MaxBodyBytes-BlockBytes {
		return
	}
	end := binary.LittleEndian.Uint64(data[len(data)-8:])
	probes := int(end >> 40 & probesMask)
	if end&fastLocalEndMask != fastLocalEnd || uint(probes-1) >= MaxProbes {
		return
	}
	return fastLocalBytes{unsafe.SliceData(data), size, probes}, true
}

func (f fastLocalBytes) containsGo(hash uint64) bool {
	return fallback.FastLocalContains(unsafe.Slice(f.body, f.size), f.probes, hash)
}

// legacyBytes are the checked bytes of a legacy filter, for a single lookup.
type legacyBytes struct {
	body   *byte
	lines  uint32
	probes int
}

// UsualLegacy returns the filter if data is a legacy filter as builders write it on most
// machines: lines that are blocks, and a trailer of five bytes, which has the numbers of
// probes and of lines.
func UsualLegacy(data []byte) (f legacyBytes, ok bool) {
	size := len(data) - legacyTrailerBytes
	if size < BlockBytes {
		return
	}
	lines, probes := binary.LittleEndian.Uint32(data[size+1:]), data[size]
	if uint64(lines)*BlockBytes != uint64(size) || probes-1 >= MaxProbes {
		return
	}
	return legacyBytes{unsafe.SliceData(data), lines, int(probes)}, true
}

const legacyTrailerBytes = 5

func (f legacyBytes) containsGo(hash uint64) bool {
	return fallback.LegacyContains(unsafe.Slice(f.body, uint64(f.lines)*BlockBytes), f.lines, f.probes, hash)
}

// pairedInGo is PairedContains. The trailer is the type, the number of probes, which batches, and 0.
func pairedInGo(data []byte, hash uint64) (contains, ok bool) {
	size := len(data) - 4
	if uint64(size-BlockBytes) > MaxBodyBytes-BlockBytes {
		return
	}
	trailer := binary.LittleEndian.Uint32(data[size:])
	probes, batchBlocks := trailer>>8&probesMask, 128
	switch trailer &^ (probesMask << 8) {
	case 1:
		batchBlocks = 32
	case 1 | 7<<16:
	default:
		return
	}
	if probes-2 > MaxProbes-2 || size&(batchBlocks*BlockBytes-1) != 0 {
		return
	}
	return fallback.PairedContains(data[:size], batchBlocks, int(probes), hash), true
}

// ribbonInGo is RibbonContains. The trailer is 0xfe, the ordinal seed, and the number of blocks.
func ribbonInGo(data []byte, hash uint64) (contains, ok bool) {
	size := len(data) - 5
	const most = mostRibbonBlocks * fallback.MostRibbonColumns * fallback.RibbonSegmentBytes
	if size < fallback.RibbonSegmentBytes || size%fallback.RibbonSegmentBytes != 0 || uint64(size) > most {
		return
	}
	blocks := binary.LittleEndian.Uint32(data[size+1:]) >> 8
	if data[size] != 0xfe || blocks < fallback.LeastRibbonBlocks {
		return
	}
	shape := fallback.NewRibbonShape(uint64(size), blocks, data[size+1])
	return fallback.RibbonContains(data[:size], &shape, hash), true
}
