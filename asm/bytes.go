package asm

import (
	"encoding/binary"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// A database passes a filter's bytes anew for every key. If they are as builders write them, one look at
// the trailer says so, and the lookup checks nothing else. For a hash, the kernel looks: Go code around it would
// take as long as the lookup, and in a large filter fewer lookups would wait for memory at once. Tests compare
// these sizes with the bytes that builders write.

const fastLocalTrailerBytes = 5

// fastLocalInGo is FastLocalMayContain. The trailer is 0xff, 0, the number of probes, and 0, 0.
func fastLocalInGo(data []byte, hash uint64) bool {
	size := (len(data) - fastLocalTrailerBytes) &^ (BlockBytes - 1)
	if uint64(size-BlockBytes) > MaxBodyBytes-BlockBytes {
		return len(data) > 0
	}
	trailer := (*[fastLocalTrailerBytes]byte)(data[len(data)-fastLocalTrailerBytes:])
	probes := trailer[2]
	if *trailer != [...]byte{0xff, 0, probes, 0, 0} || probes-1 >= MaxProbes {
		return true
	}
	return fallback.FastLocalContains(data[:size], int(probes), hash)
}

// legacyBytes are the checked bytes of a legacy filter, for a single lookup. (It has at most four words, so
// that it is passed in registers.)
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

// legacyInGo is LegacyMayContain.
func legacyInGo(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	if f, ok := UsualLegacy(data); ok {
		return f.containsGo(hash)
	}
	return other(data, hash)
}

func (f legacyBytes) containsGo(hash uint64) bool {
	return fallback.LegacyContains(unsafe.Slice(f.body, uint64(f.lines)*BlockBytes), f.lines, f.probes, hash)
}

// pairedInGo is PairedMayContain. The trailer is the type, the number of probes, which batches, and 0.
func pairedInGo(data []byte, hash uint64) bool {
	size := len(data) - 4
	if uint64(size-BlockBytes) > MaxBodyBytes-BlockBytes {
		return len(data) > 0
	}
	trailer, batchBlocks := (*[4]byte)(data[size:]), 128
	if trailer[2] == 0 {
		batchBlocks = 32
	}
	probes := trailer[1]
	if *trailer != [...]byte{1, probes, byte(batchBlocks-32) / 96 * 7, 0} || probes-2 > MaxProbes-2 || size&(batchBlocks*BlockBytes-1) != 0 {
		return true
	}
	return fallback.PairedContains(data[:size], batchBlocks, int(probes), hash)
}

// ribbonInGo is RibbonMayContain. The trailer is 0xfe, the ordinal seed, and the number of blocks.
func ribbonInGo(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	size := len(data) - 5
	const most = mostRibbonBlocks * fallback.MostRibbonColumns * fallback.RibbonSegmentBytes
	if size < fallback.RibbonSegmentBytes || size%fallback.RibbonSegmentBytes != 0 || uint64(size) > most {
		return other(data, hash)
	}
	blocks := binary.LittleEndian.Uint32(data[size+1:]) >> 8
	if data[size] != 0xfe || blocks < fallback.LeastRibbonBlocks {
		return other(data, hash)
	}
	shape := fallback.NewRibbonShape(uint64(size), blocks, data[size+1])
	return fallback.RibbonContains(data[:size], &shape, hash)
}

// linearInGo is LinearMayContain. The trailer is two multipliers for each layer, the cut, the bits of a
// fingerprint, the number of layers, 0x80, and the name.
func linearInGo(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	const marks = 0x32464c4c_80
	size := len(data) - 8
	if size < 0 {
		return other(data, hash)
	}
	end := binary.LittleEndian.Uint64(data[size:])
	number := int(end >> 16 & 0xff)
	if size -= 8 * number; end>>24 != marks || number == 0 || number > fallback.MaxLinearLayers || size < 0 {
		return other(data, hash)
	}
	var multipliers [fallback.MaxLinearLayers][2]uint32
	for i := range multipliers[:number] {
		of := binary.LittleEndian.Uint64(data[size+8*i:])
		multipliers[i] = [2]uint32{uint32(of), uint32(of >> 32)}
	}
	layers, ok := fallback.NewLinearLayers(multipliers[:number], int(end&0xff), int(end>>8&0xff))
	if !ok || layers.NumLines()*linearLineBytes != size {
		return other(data, hash)
	}
	return fallback.LinearContains(data[:size], &layers, hash)
}

// splitBlockInGo is SplitBlockMayContain.
func splitBlockInGo(data []byte, hash uint64) bool {
	if uint64(len(data))-1 >= MaxSplitBlockBytes || len(data)%SplitBlockBytes != 0 {
		return len(data) > 0
	}
	return fallback.SplitBlockContains(data, hash)
}
