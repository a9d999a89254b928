package main

import "math"

// ribbon is RocksDB's Ribbon filter. Nothing can be looked up in it yet: here is the place for
// the filter that will do it.
type ribbon struct{ data []byte }

// openRibbon returns the filter of bytes that have the trailer of one.
func openRibbon(data []byte) keyFilter { return ribbon{data} }

// ContainsKeys says that the filter may contain every key.
func (ribbon) ContainsKeys(keys [][]byte, hits []bool) { allTrue(hits[:len(keys)]) }

// facts reads the trailer. The filter has blocks of 128 slots, stored as segments of
// 128 bits, one for each column of a block. All blocks have the same number of columns,
// except that the first ones may have one less. An absent key passes each column with a
// probability of one half (SerializableInterleavedSolution in RocksDB's
// util/ribbon_impl.h). The trailer has a seed and the number of blocks, of three bytes.
func (r ribbon) facts() facts {
	const segmentBytes = 16
	n := len(r.data) - trailerBytes
	blocks := int(r.data[n+2]) | int(r.data[n+3])<<8 | int(r.data[n+4])<<16
	segments := n / segmentBytes
	if blocks < 2 { // RocksDB reads it so
		return facts{kind: alwaysTrue, rated: true, rate: 1}
	}
	columns := (segments + blocks - 1) / blocks
	fewer := columns*blocks - segments // blocks with a column less
	// No key begins in the last 127 slots.
	slots := float64(blocks*128 - 127)
	share := math.Min(float64(fewer*128)/slots, 1)
	rate := share*math.Exp2(-float64(columns-1)) + (1-share)*math.Exp2(-float64(columns))
	return facts{
		kind: "Ribbon", blocks: blocks, blockBytes: segmentBytes * columns,
		rated: true, rate: math.Min(rate, 1), from: "the number of its columns",
	}
}
