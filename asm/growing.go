package asm

import "encoding/binary"

// These methods change bodies that have been prepared for queries, or read all of one. Like
// batches of queries, they know whether the body is shared. If it is not, changing it needs
// exclusive access.

// AddAll is [fallback.FastLocalAdd].
func (f *FastLocal) AddAll(hashes []uint64) {
	if f.shared {
		f.addAllShared(hashes)
	} else {
		f.addAll(hashes)
	}
}

// Unite sets all bits that are set in another body, which is of the same size, and shared
// if this one is.
func (f *FastLocal) Unite(other *FastLocal) {
	if len(f.body) != len(other.body) || f.shared != other.shared {
		panic("asm: only similar bodies can be united")
	}
	if f.shared {
		f.uniteShared(other)
		return
	}
	for i := 0; i < len(f.body); i += 8 {
		to := f.body[i:]
		binary.NativeEndian.PutUint64(to, binary.NativeEndian.Uint64(to)|binary.NativeEndian.Uint64(other.body[i:]))
	}
}

// Clear clears all bits.
func (f *FastLocal) Clear() {
	if f.shared {
		f.clearShared()
	} else {
		clear(f.body)
	}
}

// Read returns len(room) bytes of the body, from the given one on. Those of a shared body are
// loaded into the room. The length and the place are whole words.
func (f *FastLocal) Read(room []byte, from int) []byte {
	if f.shared {
		f.loadShared(room, from)
		return room
	}
	return f.body[from : from+len(room)]
}
