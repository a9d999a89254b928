package building

import (
	"encoding/binary"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

const (
	waitingKeys  = 128
	waitingLeast = 8  // bytes of a key: shorter ones take longer to copy
	waitingMost  = 16 // longer ones, too

	// So many keys are added one after the other before some wait: a builder of a few keys, or whose size is asked for
	// after every key, would gain nothing.
	addedBefore = 32
)

// waiting are copies of the last keys that were added one by one, or of numbers, so that kernels hash many together.
type waiting struct {
	n      uint
	values [waitingKeys]uint64

	keys   [waitingKeys][waitingMost]byte
	sizes  [waitingKeys]uint8
	mixed  bool // not all sizes are waitingMost
	slices [waitingKeys][]byte
}

// waits reports whether it pays that keys wait.
func waits(hash keyhash.Hash) bool {
	return asm.HashesTogether() && (hash == keyhash.XX64 || hash == keyhash.XXPH3 || hash.Bits() == 32)
}

// Add adds a key.
func (b *Builder) Add(key []byte) {
	if uint(len(key)-waitingLeast) > waitingMost-waitingLeast || !b.waits {
		if b.added != 0 {
			b.hashWaiting()
		}
		b.log.Add(b.hash.Sum64(key))
		return
	}
	w := b.waiting
	if w == nil || len(key) != waitingMost || !b.log.TryBegin() {
		b.addUnlike(key)
		return
	}
	i := w.n % waitingKeys
	w.keys[i], w.sizes[i] = [waitingMost]byte(key), waitingMost
	w.n = i + 1
	b.log.End()
	if i == waitingKeys-1 {
		b.hashAll(w)
	}
}

// addUnlike is Add of the first keys, and of those that have not waitingMost bytes.
func (b *Builder) addUnlike(key []byte) {
	w := b.waiting
	if w == nil {
		b.countAdded(false)
		b.log.Add(b.hash.Sum64(key))
		return
	}
	b.log.Begin()
	w.add(key)
	b.log.End()
	if w.n == waitingKeys {
		b.hashAll(w)
	}
}

// AddUint64 adds a key of 8 little-endian bytes.
func (b *Builder) AddUint64(value uint64) {
	if b.waits {
		b.addValue(value)
		return
	}
	b.log.Add(b.hash.SumUint64(value))
}

// addValue is AddUint64 where keys wait. It is apart from the rest, whose frame would be as large.
func (b *Builder) addValue(value uint64) {
	w := b.waitingValues
	if w == nil || !b.log.TryBegin() {
		b.countAdded(true)
		b.log.Add(b.hash.SumUint64(value))
		return
	}
	i := w.n % waitingKeys
	w.values[i] = value
	w.n = i + 1
	b.log.End()
	if i == waitingKeys-1 {
		b.hashAll(w)
	}
}

// countAdded counts a key that does not wait, so that later ones do.
func (b *Builder) countAdded(value bool) {
	if b.added == 0 || b.addedValues != value {
		b.hashWaiting()
		b.addedValues = value
	}
	if b.added++; b.added < addedBefore {
		return
	}
	if b.waitingRoom == nil {
		b.waitingRoom = new(waiting)
	}
	if value {
		b.waitingValues = b.waitingRoom
	} else {
		b.waiting = b.waitingRoom
	}
}

// hashWaiting adds the keys that wait. All that depends on which keys were added calls it first.
func (b *Builder) hashWaiting() {
	if b.added == 0 {
		return
	}
	b.added = 0
	if w := b.waitingRoom; w != nil && w.n > 0 {
		b.hashAll(w)
	}
	b.waiting, b.waitingValues = nil, nil
}

// hashAll adds the keys that wait, at least one.
func (b *Builder) hashAll(w *waiting) {
	b.log.Begin()
	hashes := w.appendHashes(b.room(), b.hash, b.waitingValues != nil)
	b.log.End()
	b.log.AddAll(hashes)
}

// add copies a key of any size that waits.
func (w *waiting) add(key []byte) {
	w.mixed = w.mixed || len(key) != waitingMost
	slot := &w.keys[w.n]
	first, last := binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[len(key)-8:])
	binary.LittleEndian.PutUint64(slot[:], first)
	binary.LittleEndian.PutUint64(slot[len(key)-8:], last)
	w.sizes[w.n] = uint8(len(key))
	w.n++
}

// appendHashes appends the hashes of all keys, or values, and is empty again.
func (w *waiting) appendHashes(dst []uint64, hash keyhash.Hash, values bool) []uint64 {
	n, mixed := w.n, w.mixed
	w.n, w.mixed = 0, false
	switch {
	case values:
		return hash.AppendColumn(dst, keyhash.Values(w.values[:n]))
	case !mixed && hash == keyhash.XX64:
		asm.HashPairs(dst[:n], w.keys[:n])
		return dst[:n]
	}
	for i := range w.slices[:n] {
		w.slices[i] = w.keys[i][:w.sizes[i]]
	}
	return hash.AppendHashes(dst, w.slices[:n])
}
