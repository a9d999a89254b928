package linear

import (
	"math/bits"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

// source has the keys of a layer, as mixed hashes in lists: the top bits of a hash's low half are
// the number of its list. So a list has the keys of neighbouring lines. The number of lists is
// a power of two.
type source interface {
	lists() int
	// each calls do with the hashes of a list, some at a time, which may be in the room. Any number
	// of goroutines may call it at once, each with its own room.
	each(list int, room *segment, do func(hashes []uint64))
}

// listShift returns the number of a hash's low bits, of 32, that do not matter for its list.
func listShift(lists int) int { return 32 - bits.TrailingZeros(uint(lists)) }

// logged is the keys that were added. Those that are in lists were mixed before.
type logged struct{ log *hashlog.Log }

var mix = hashlog.Mix{Do: fallback.LinearMixAll, Undo: fallback.LinearUnmixAll}

func (l logged) lists() int {
	if l.log.Partitioned() {
		return hashlog.Lists
	}
	return 1
}

func (l logged) each(list int, room *segment, do func(hashes []uint64)) {
	if l.log.Partitioned() {
		for hashes := range l.log.List(list) {
			do(hashes)
		}
		return
	}
	for hashes := range l.log.All() {
		for len(hashes) > 0 {
			n := min(len(room), len(hashes))
			mix.Do(room[:], hashes[:n])
			do(room[:n])
			hashes = hashes[n:]
		}
	}
}
