package building

import (
	"encoding/binary"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

const (
	waitingKeys = 128

	// Of keys that are added one after the other, one of so many is looked at. When two have the same length, the keys
	// that follow wait. A builder of a few keys, or whose size is asked for after every key, would gain nothing.
	lookedAt = 64
)

// waiting are copies of the last keys that were added one by one, so that kernels hash many together: of 8 bytes, or of
// 16. Copies of keys of 9 to 15 bytes and of 24 took 1.3 times as long as hashing each (Emerald Rapids).
type waiting struct {
	n      uint
	values [waitingKeys]uint64
	pairs  [waitingKeys][16]byte
	slices [waitingKeys][]byte // of pairs
}

// waits reports whether it pays that keys wait.
func waits(hash keyhash.Hash) bool {
	return asm.HashesTogether() && (hash == keyhash.XX64 || hash == keyhash.XXPH3 || hash.Bits() == 32)
}

// Add adds a key.
func (b *Builder) Add(key []byte) {
	if w := b.waiting; w != nil && len(key) == b.size && !b.log.Busy() {
		b.log.Begin()
		i := w.n % waitingKeys
		if len(key) == 16 {
			w.pairs[i] = [16]byte(key)
		} else {
			w.values[i] = binary.LittleEndian.Uint64(key)
		}
		w.n = i + 1
		b.log.End()
		if i == waitingKeys-1 {
			b.hashAll(w)
		}
		return
	}
	if b.waits {
		if b.unseen--; b.unseen == 0 && b.look(len(key)) {
			b.Add(key)
			return
		}
	}
	if sum := b.hash.Sum64(key); !b.log.TryAdd(sum) {
		b.log.Add(sum)
	}
}

// AddUint64 adds a key of 8 little-endian bytes.
func (b *Builder) AddUint64(value uint64) {
	if b.waits {
		b.addValue(value)
		return
	}
	if sum := b.hash.SumUint64(value); !b.log.TryAdd(sum) {
		b.log.Add(sum)
	}
}

// addValue is AddUint64 where keys wait. It is apart from the rest, whose frame would be as large.
func (b *Builder) addValue(value uint64) {
	w := b.waiting
	if w == nil || b.size != 8 || b.log.Busy() {
		b.addFirst(value)
		return
	}
	b.log.Begin()
	i := w.n % waitingKeys
	w.values[i] = value
	w.n = i + 1
	b.log.End()
	if i == waitingKeys-1 {
		b.hashAll(w)
	}
}

// addFirst is addValue before values wait.
func (b *Builder) addFirst(value uint64) {
	if b.unseen--; b.unseen == 0 && b.look(8) {
		b.addValue(value)
	} else {
		b.log.Add(b.hash.SumUint64(value))
	}
}

// look looks at a key's length and reports whether the key waits. If not, none waits.
func (b *Builder) look(size int) bool {
	if size != b.size || size != 8 && size != 16 {
		b.hashWaiting()
		b.size = size
		return false
	}
	b.log.Begin() // panics if another goroutine is using it
	b.log.End()
	if b.waitingRoom == nil {
		b.waitingRoom = new(waiting)
	}
	b.waiting, b.unseen = b.waitingRoom, 1 // look at the next that does not wait
	return true
}

// hashWaiting adds the keys that wait. All that depends on which keys were added calls it first.
func (b *Builder) hashWaiting() {
	if w := b.waiting; w != nil && w.n > 0 {
		b.hashAll(w)
	}
	b.waiting, b.size, b.unseen = nil, 0, lookedAt
}

// hashAll adds the keys that wait, at least one.
func (b *Builder) hashAll(w *waiting) {
	b.log.Begin()
	hashes := w.appendHashes(b.room(), b.hash, b.size == 8)
	b.log.End()
	b.log.AddAll(hashes)
}

// appendHashes appends the hashes of all keys, and is empty again.
func (w *waiting) appendHashes(dst []uint64, hash keyhash.Hash, values bool) []uint64 {
	n := w.n
	w.n = 0
	switch {
	case values:
		return hash.AppendColumn(dst, keyhash.Values(w.values[:n]))
	case hash == keyhash.XX64:
		asm.HashPairs(dst[:n], w.pairs[:n])
		return dst[:n]
	}
	for i := range n {
		w.slices[i] = w.pairs[i][:]
	}
	return hash.AppendHashes(dst, w.slices[:n])
}
