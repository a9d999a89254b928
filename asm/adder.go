package asm

import "encoding/binary"

// These methods change FastLocal, SplitBlock and Blobloom bodies that have been prepared for lookups, or read all of
// one. Like lookups, they know whether the body is shared. If it is not, changing it needs exclusive access.

// formatAdder has the functions that add keys to bodies of a format. Go calls the first three itself, because assembly
// on the way would take two nanoseconds.
type formatAdder struct {
	addAll            func(k *Kernel, hashes []uint64)
	addShared         func(k *Kernel, hash uint64)
	addIfAbsentShared func(k *Kernel, hash uint64) bool
	adders            *adders // which assembly jumps to
	sharedAdders      *adders
}

// noAdders has no kernels.
var noAdders adders

var formatAdders = [...]formatAdder{
	FastLocal:  {(*Kernel).AddFastLocal, sharedFastLocalAdd, sharedFastLocalAddIfAbsent, &fastLocalAdders, &sharedFastLocalAdders},
	SplitBlock: {splitBlockAddAll, sharedSplitBlockAdd, sharedSplitBlockAddIfAbsent, &splitBlockAdders, &noAdders},
	Blobloom:   {blobloomAddAll, sharedBlobloomAdd, sharedBlobloomAddIfAbsent, &blobloomAdders, &sharedBlobloomAdders},
}

// EnableAdd prepares the Kernel for Add, AddIfAbsent, AddAll, AddShared and AddIfAbsentShared. It is no part of making
// a Kernel, so that programs that only look up have no functions that add.
func (k *Kernel) EnableAdd() {
	if of := &formatAdders[k.format]; k.shared {
		k.setAdder(of.sharedAdders)
	} else {
		k.setAdder(of.adders)
	}
}

// formatAdder returns the functions of a Kernel that CanAdd.
func (k *Kernel) formatAdder() *formatAdder {
	if k.adder == nil {
		notOpened(k, 0)
	}
	return &formatAdders[k.format]
}

// Add sets the bits of a hash.
func (k *Kernel) Add(hash uint64) {
	k.raceAdd(hash)
	add(k, hash)
}

// AddIfAbsent is Add, and reports whether it set any bit.
func (k *Kernel) AddIfAbsent(hash uint64) bool {
	k.raceAdd(hash)
	absent, _ := addIfAbsent(k, hash)
	return absent
}

// AddAll is Add of every hash, or AddShared.
func (k *Kernel) AddAll(hashes []uint64) {
	if of := k.formatAdder(); k.shared {
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
