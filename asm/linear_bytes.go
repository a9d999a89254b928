package asm

import (
	"encoding/binary"
	"unsafe"
)

// LinearBytes are the checked bytes of a linear filter with at least one layer, for a single
// lookup. (It has at most four words, so that it is passed in registers.)
type LinearBytes struct {
	body  *byte
	lines *byte // of each layer, in four bytes each
	sizes int   // how many layers, and from bit 8 on the bits of a fingerprint
}

// The last eight bytes of a linear filter, without the bits of a fingerprint and the number
// of layers: version 1, 0x80, and the name.
const (
	linearEndMask = 0xffff_ffff_ffff_0000
	linearEnd     = 0x3146_4c4c_8001_0000

	linearEndBytes   = 8
	linearLayerBytes = 4
)

// UsualLinear returns the filter if data is a linear filter with at least one layer.
func UsualLinear(data []byte) (f LinearBytes) {
	size := len(data) - linearEndBytes
	if size < BlockBytes {
		return
	}
	end := binary.LittleEndian.Uint64(data[size:])
	r, layers := int(end&0xff), int(end>>8&0xff)
	size -= layers * linearLayerBytes
	if end&linearEndMask != linearEnd || LinearSlotsOf(r) == 0 || uint(layers-1) >= MaxLinearLayers || size < 0 {
		return
	}
	sum := uint64(0)
	for at := size; at < len(data)-linearEndBytes; at += linearLayerBytes {
		lines := binary.LittleEndian.Uint32(data[at:])
		if lines == 0 {
			return
		}
		sum += uint64(lines)
	}
	if sum > 1<<32-1 || sum*BlockBytes != uint64(size) {
		return
	}
	return LinearBytes{unsafe.SliceData(data), &data[size], layers | r<<8}
}

// OK reports whether there is a filter.
func (f LinearBytes) OK() bool { return f.sizes > 0 }

func (f LinearBytes) layers() int { return f.sizes & 0xff }

func (f LinearBytes) bits() int { return f.sizes >> 8 }

// prepared is the filter that NewLinear would return.
func (f LinearBytes) prepared() Linear {
	var lines [MaxLinearLayers]uint32
	sum := 0
	for i, layer := range unsafe.Slice((*[linearLayerBytes]byte)(unsafe.Pointer(f.lines)), f.layers()) {
		lines[i] = binary.LittleEndian.Uint32(layer[:])
		sum += int(lines[i])
	}
	return NewLinear(unsafe.Slice(f.body, sum*BlockBytes), lines[:f.layers()], f.bits())
}
