package asm

import (
	"encoding/binary"

	"github.com/simdbloom/simdbloom/fallback"
)

// These methods change FastLocal, SplitBlock and Blobloom bodies that have been prepared for lookups, or read all of
// one. Like lookups, they know whether the body is shared. If it is not, changing it needs exclusive access.

// AddAll is Add of every hash.
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

// What follows is adding without kernels.

func addInGo(k *Kernel, hash uint64) {
	switch k.format {
	case SplitBlock:
		fallback.SplitBlockAddKey(k.body, hash)
	case Blobloom:
		fallback.BlobloomAddKey(k.body, k.probes, hash)
	default:
		fallback.FastLocalAddKey(k.body, k.probes, hash)
	}
}

func addIfAbsentInGo(k *Kernel, hash uint64) bool {
	switch {
	case k.format == SplitBlock:
		return fallback.SplitBlockAddKey(k.body, hash)
	case k.format == Blobloom:
		return fallback.BlobloomAddKey(k.body, k.probes, hash)
	case fallback.FastLocalContains(k.body, k.probes, hash):
		return false
	}
	fallback.FastLocalAddKey(k.body, k.probes, hash)
	return true
}

func (k *Kernel) addAllInGo(hashes []uint64) {
	switch k.format {
	case SplitBlock:
		fallback.SplitBlockAdd(k.body, hashes)
	case Blobloom:
		fallback.BlobloomAdd(k.body, k.probes, hashes)
	default:
		fallback.FastLocalAdd(k.body, k.probes, hashes)
	}
}

func (k *Kernel) addSharedInGo(hash uint64) {
	switch k.format {
	case SplitBlock:
		fallback.SharedSplitBlockAdd(k.words(), hash)
	case Blobloom:
		fallback.SharedBlobloomAdd(k.words(), k.probes, hash)
	default:
		fallback.SharedFastLocalAdd(k.words(), k.probes, hash)
	}
}

func (k *Kernel) addIfAbsentSharedInGo(hash uint64) bool {
	switch k.format {
	case SplitBlock:
		return fallback.SharedSplitBlockAdd(k.words(), hash)
	case Blobloom:
		return fallback.SharedBlobloomAdd(k.words(), k.probes, hash)
	default:
		return fallback.SharedFastLocalAddIfAbsent(k.words(), k.probes, hash)
	}
}
