package main

import "math"

// factsOfRibbon is about RocksDB's Ribbon filter: blocks of 128 slots, stored as
// segments of 128 bits, one for each column of a block: either one number of
// columns or, in the blocks that come first, one less. An absent key passes each
// column by chance (SerializableInterleavedSolution in RocksDB's util/ribbon_impl.h).
// The trailer has a seed and the number of blocks, of three bytes.
func factsOfRibbon(data []byte) facts {
	const segmentBytes = 16
	n := len(data) - trailerBytes
	blocks := int(data[n+2]) | int(data[n+3])<<8 | int(data[n+4])<<16
	segments := n / segmentBytes
	if blocks < 2 { // RocksDB reads it so
		return facts{kind: alwaysTrue, rated: true, rate: 1}
	}
	columns := (segments + blocks - 1) / blocks
	fewer := columns*blocks - segments // blocks with a column less
	// The last 127 slots are no key's first.
	slots := float64(blocks*128 - 127)
	share := math.Min(float64(fewer*128)/slots, 1)
	rate := share*math.Exp2(-float64(columns-1)) + (1-share)*math.Exp2(-float64(columns))
	return facts{
		kind: "Ribbon", blocks: blocks, blockBytes: segmentBytes * columns,
		rated: true, rate: math.Min(rate, 1), from: "the number of its columns",
	}
}
