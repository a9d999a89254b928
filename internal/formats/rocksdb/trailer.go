// Package rocksdb is shared by the three formats of the filters in RocksDB's tables.
package rocksdb

import "github.com/simdbloom/simdbloom/asm"

// All filters of RocksDB's tables end in a trailer of five bytes, which begins with a marker. In a legacy filter it is
// the number of probes, from 1 up to MarkerMaxLegacy.
const (
	TrailerBytes = 5

	MarkerAt        = 0
	MarkerNewBloom  = 0xff
	MarkerRibbon    = 0xfe
	MarkerMaxLegacy = 0x7f

	// ProbesMask has the bits of the number of probes in the trailers of FastLocal and of Speedb's filters. The top 3
	// bits of their byte are log2(block bytes)-6.
	ProbesMask = 1<<5 - 1
)

// IsPebblesEmpty reports whether bytes are five zeros, Pebble's legacy filter without keys.
func IsPebblesEmpty(data []byte) bool { return string(data) == "\x00\x00\x00\x00\x00" }

// FormatOf returns the format of a filter in RocksDB's tables, by its marker: Reserved if that is of none of these.
// Pebble's filter without keys, which has no marker, is Legacy.
func FormatOf(data []byte) asm.Format {
	if len(data) <= TrailerBytes {
		if IsPebblesEmpty(data) {
			return asm.Legacy
		}
		return asm.Reserved
	}
	switch marker := data[len(data)-TrailerBytes+MarkerAt]; {
	case marker == MarkerNewBloom:
		return asm.FastLocal
	case marker == MarkerRibbon:
		return asm.Ribbon
	case marker-1 < MarkerMaxLegacy:
		return asm.Legacy
	}
	return asm.Reserved
}
