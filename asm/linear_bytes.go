package asm

import (
	"encoding/binary"

	"github.com/simdbloom/simdbloom/fallback"
)

// The trailer of a linear filter: the number of lines in each layer, and eight bytes, which
// are the bits of a fingerprint, the number of layers, version 1, 0x80, and the name.
const (
	linearEndMask = 0xffff_ffff_ffff_0000
	linearEnd     = 0x3146_4c4c_8001_0000

	linearEndBytes   = 8
	linearLayerBytes = 4
)

// linearOf returns the filter if data is a linear filter with at least one layer.
func linearOf(data []byte) (k Kernel, ok bool) {
	n := len(data) - linearEndBytes
	if n < 0 {
		return
	}
	end := binary.LittleEndian.Uint64(data[n:])
	r, layers := int(end&0xff), int(end>>8&0xff)
	n -= layers * linearLayerBytes
	if end&linearEndMask != linearEnd || fallback.LinearSlotsOf(r) == 0 || layers == 0 || layers > fallback.MaxLinearLayers || n < 0 {
		return
	}
	var lines [fallback.MaxLinearLayers]uint32
	for i := range layers {
		lines[i] = binary.LittleEndian.Uint32(data[n+i*linearLayerBytes:])
	}
	if !areLayersOf(data[:n], lines[:layers]) {
		return
	}
	return NewLinear(data[:n], lines[:layers], r), true
}

func linearContainsGeneric(data []byte, hash uint64) (contains, ok bool) {
	k, ok := linearOf(data)
	return ok && linearContainsGo(&k, hash), ok
}
