package asm

import "encoding/binary"

// These methods change FastLocal, SplitBlock and Blobloom bodies that have been prepared for lookups, or read all of
// one. Like lookups, they know whether the body is shared. If it is not, changing it needs exclusive access.

// A growing is the functions by which a format's bodies grow, which Go calls: assembly on the way would take two
// nanoseconds.
type growing struct {
	addAll            func(k *Kernel, hashes []uint64)
	addShared         func(k *Kernel, hash uint64)
	addIfAbsentShared func(k *Kernel, hash uint64) bool
	adding            *addings // which assembly jumps to
	addingShared      *addings
}

// noAdding has no kernels.
var noAdding addings

var growingOf = [...]growing{
	FastLocal:  {(*Kernel).AddFastLocal, sharedFastLocalAdd, sharedFastLocalAddIfAbsent, &fastLocalAdding, &sharedFastLocalAdding},
	SplitBlock: {splitBlockAddAll, sharedSplitBlockAdd, sharedSplitBlockAddIfAbsent, &splitBlockAdding, &noAdding},
	Blobloom:   {blobloomAddAll, sharedBlobloomAdd, sharedBlobloomAddIfAbsent, &blobloomAdding, &sharedBlobloomAdding},
}

// Grow prepares the Kernel for Add, AddIfAbsent, AddAll, AddShared and AddIfAbsentShared. It is no part of making a
// Kernel, so that programs that only look up have no functions that add.
func (k *Kernel) Grow() {
	if of := &growingOf[k.format]; k.shared {
		k.addBy(of.addingShared)
	} else {
		k.addBy(of.adding)
	}
}

// grower returns the functions of a Kernel that grows.
func (k *Kernel) grower() *growing {
	if k.adding == nil {
		notOpened(k, 0)
	}
	return &growingOf[k.format]
}

// Add sets the bits of a hash.
func (k *Kernel) Add(hash uint64) {
	k.addsOne(hash)
	add(k, hash)
}

// AddIfAbsent is Add, and reports whether it set any bit.
func (k *Kernel) AddIfAbsent(hash uint64) bool {
	k.addsOne(hash)
	return addIfAbsent(k, hash)
}

// AddAll is Add of every hash, or AddShared.
func (k *Kernel) AddAll(hashes []uint64) {
	if of := k.grower(); k.shared {
		k.addAllShared(hashes)
	} else {
		of.addAll(hidden(k), hiddenSlice(hashes))
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
	Or(k.body, other.body)
}

// Or sets all bits of whole words that are set in other bytes of the same number.
func Or(to, from []byte) {
	for i := 0; i < len(to); i += 8 {
		to := to[i:]
		binary.NativeEndian.PutUint64(to, binary.NativeEndian.Uint64(to)|binary.NativeEndian.Uint64(from[i:]))
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
