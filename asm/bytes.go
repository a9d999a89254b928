package asm

import (
	"encoding/binary"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// A database passes a filter's bytes anew for every key. If they are as builders write
// them, one look at the trailer checks them, and the lookup that follows checks nothing.
// The formats' packages read all other bytes; their tests compare what is usual here with what
// their builders write.

// FastLocalBytes are the checked bytes of a FastLocal filter, for a single lookup. (It has
// at most four words, so that it is passed in registers.)
type FastLocalBytes struct {
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

// UsualFastLocal returns the filter if data is a FastLocal filter as builders write it:
// whole blocks, and a trailer of five bytes.
func UsualFastLocal(data []byte) (f FastLocalBytes) {
	size := len(data) - fastLocalTrailerBytes
	if uint64(size-BlockBytes) > MaxBodyBytes-BlockBytes {
		return
	}
	end := binary.LittleEndian.Uint64(data[size-3:])
	probes := int(end >> 40 & probesMask)
	if end&fastLocalEndMask != fastLocalEnd || uint(probes-1) >= MaxProbes || size%BlockBytes != 0 {
		return
	}
	return FastLocalBytes{unsafe.SliceData(data), size, probes}
}

// OK reports whether there is a filter.
func (f FastLocalBytes) OK() bool { return f.size > 0 }

// Body returns the filter's blocks.
func (f FastLocalBytes) Body() []byte { return unsafe.Slice(f.body, f.size) }

// Probes returns the number of probes.
func (f FastLocalBytes) Probes() int { return f.probes }

// FastLocalContains is NewFastLocal and Contains.
func FastLocalContains(body []byte, probes int, hash uint64) bool {
	checkFastLocal(body, probes)
	return FastLocalBytes{&body[0], len(body), probes}.Contains(hash)
}

// PairedBytes are the checked bytes of a paired filter, for a single lookup.
type PairedBytes struct {
	body                      *byte
	size, batchBlocks, probes int
}

// A paired filter ends in four bytes: the type, the number of probes, which batches, and
// 0. Batches have 32 blocks, or 128.
const (
	pairedTrailerBytes = 4

	paired32  = 1 | 0<<16
	paired128 = 1 | 7<<16
)

// UsualPaired returns the filter if data is a paired filter as builders write it: whole
// batches, and a trailer of four bytes. (It is as large as a function may be to be
// inlined.)
func UsualPaired(data []byte) (f PairedBytes) {
	size := len(data) - pairedTrailerBytes
	if uint64(size-BlockBytes) > MaxBodyBytes-BlockBytes {
		return
	}
	trailer := binary.LittleEndian.Uint32(data[size:])
	probes, batchBlocks := trailer>>8&probesMask, 128
	switch trailer &^ (probesMask << 8) {
	case paired32:
		batchBlocks = 32
	case paired128:
	default:
		return
	}
	if probes-2 > MaxProbes-2 || size&(batchBlocks*BlockBytes-1) != 0 {
		return
	}
	return PairedBytes{unsafe.SliceData(data), size, batchBlocks, int(probes)}
}

// OK reports whether there is a filter.
func (f PairedBytes) OK() bool { return f.size > 0 }

// Body returns the filter's blocks.
func (f PairedBytes) Body() []byte { return unsafe.Slice(f.body, f.size) }

// BatchBlocks returns the number of blocks in a batch.
func (f PairedBytes) BatchBlocks() int { return f.batchBlocks }

// Probes returns the number of probes.
func (f PairedBytes) Probes() int { return f.probes }

// PairedContains is NewPaired and Contains.
func PairedContains(body []byte, batchBlocks, probes int, hash uint64) bool {
	checkPaired(body, batchBlocks, probes)
	return PairedBytes{&body[0], len(body), batchBlocks, probes}.Contains(hash)
}

// LegacyBytes are the checked bytes of a legacy filter, for a single lookup.
type LegacyBytes struct {
	body   *byte
	lines  uint32
	probes int
}

// UsualLegacy returns the filter if data is a legacy filter as builders write it on most
// machines: lines that are blocks, and a trailer of five bytes, which has the numbers of
// probes and of lines.
func UsualLegacy(data []byte) (f LegacyBytes) {
	size := len(data) - legacyTrailerBytes
	if size < BlockBytes {
		return
	}
	lines, probes := binary.LittleEndian.Uint32(data[size+1:]), data[size]
	if uint64(lines)*BlockBytes != uint64(size) || probes-1 >= MaxProbes {
		return
	}
	return LegacyBytes{unsafe.SliceData(data), lines, int(probes)}
}

const legacyTrailerBytes = 5

// OK reports whether there is a filter.
func (f LegacyBytes) OK() bool { return f.lines > 0 }

// Body returns the filter's lines, how many there are, and the number of probes.
func (f LegacyBytes) Body() (body []byte, lines uint32, probes int) {
	return unsafe.Slice(f.body, uint64(f.lines)*BlockBytes), f.lines, f.probes
}

func (f LegacyBytes) containsGeneric(hash uint32) bool {
	body, lines, probes := f.Body()
	return fallback.LegacyContains(body, lines, probes, hash)
}

// RibbonBytes are the checked bytes of a Ribbon filter, for a single lookup.
type RibbonBytes struct {
	body         *byte
	segments     uint64
	blocks, seed uint32
}

// UsualRibbon returns the filter if data is a Ribbon filter: whole segments, at least one, and a
// trailer of five bytes, which has 0xfe, the ordinal seed, and the number of blocks.
func UsualRibbon(data []byte) (f RibbonBytes) {
	size := len(data) - ribbonTrailerBytes
	if size < RibbonSegmentBytes || size%RibbonSegmentBytes != 0 || uint64(size) > mostRibbonBytes {
		return
	}
	blocks := binary.LittleEndian.Uint32(data[size+1:]) >> 8
	if data[size] != ribbonMarker || blocks < LeastRibbonBlocks {
		return
	}
	return RibbonBytes{unsafe.SliceData(data), uint64(size) / RibbonSegmentBytes, blocks, uint32(data[size+1])}
}

const (
	ribbonTrailerBytes = 5
	ribbonMarker       = 0xfe

	// mostRibbonBytes is that of all columns of all blocks.
	mostRibbonBytes = MostRibbonBlocks * MostRibbonColumns * RibbonSegmentBytes
)

// OK reports whether there is a filter.
func (f RibbonBytes) OK() bool { return f.blocks > 0 }

// Body returns the filter's columns, the number of blocks, and the ordinal seed.
func (f RibbonBytes) Body() (body []byte, blocks uint32, seed byte) {
	return unsafe.Slice(f.body, f.segments*RibbonSegmentBytes), f.blocks, byte(f.seed)
}

func (f RibbonBytes) containsGeneric(hash uint64) bool {
	body, blocks, seed := f.Body()
	shape := fallback.NewRibbonShape(uint64(len(body)), blocks, seed)
	return fallback.RibbonContains(body, &shape, hash)
}
