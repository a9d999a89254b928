package asm

import "encoding/binary"

// These methods change FastLocal bodies that have been prepared for lookups, or read all of one. Like
// lookups, they know whether the body is shared. If it is not, changing it needs exclusive access.

// AddAll is [fallback.FastLocalAdd].
func (k *Kernel) AddAll(hashes []uint64) {
	if k.shared {
		k.addAllShared(hashes)
	} else {
		k.addAll(hashes)
	}
}

// Unite sets all bits that are set in another body, which is of the same size, and shared
// if this one is.
func (k *Kernel) Unite(other *Kernel) {
	if len(k.body) != len(other.body) || k.shared != other.shared {
		panic("asm: only similar bodies can be united")
	}
	if k.shared {
		k.uniteShared(other)
		return
	}
	for i := 0; i < len(k.body); i += 8 {
		to := k.body[i:]
		binary.NativeEndian.PutUint64(to, binary.NativeEndian.Uint64(to)|binary.NativeEndian.Uint64(other.body[i:]))
	}
}

// Clear clears all bits.
func (k *Kernel) Clear() {
	if k.shared {
		k.clearShared()
	} else {
		clear(k.body)
	}
}

// Read returns len(buffer) bytes of the body, from the given one on. Those of a shared body are
// loaded into the buffer. The length and the place are whole words.
func (k *Kernel) Read(buffer []byte, from int) []byte {
	if k.shared {
		k.loadShared(buffer, from)
		return buffer
	}
	return k.body[from : from+len(buffer)]
}
