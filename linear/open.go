package linear

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Open returns the filter whose bytes are data, without copying them: they must
// neither change nor be freed while the filter is in use. If data is memory-mapped,
// fault it in first: a batch runs in assembly and cannot be preempted during a page
// fault. hash must be the key hash that the filter was built with.
//
// Open takes any bytes, of any length and alignment, and checks them in the time that a
// lookup takes, however many they are. Zero bytes contain no key. Bytes of other formats and
// truncated ones are an error that wraps [ErrCorrupt] and says what is wrong. The zero Hash is
// an error too. Like other formats, it has no checksum: flipped bits inside of lines go
// unnoticed, and make no query panic or read elsewhere.
func Open(data []byte, hash keyhash.Hash) (*Filter, error) {
	if hash.IsZero() {
		return nil, wrap(answers.ErrNoHash)
	}
	var lines layerLines
	c, flaw := read(data, &lines)
	if flaw != "" {
		return nil, wrap(answers.Corrupt(data, flaw))
	}
	return newFilter(data, c, hash), nil
}

// MayContainHash is Open and ContainsHash in one call, without allocating. It
// answers true for bytes that Open refuses.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs a few
// nanoseconds more than ContainsHash. Any number of goroutines may call it at once.
func MayContainHash(data []byte, hash uint64) bool {
	if contains, ok := asm.LinearContains(data, hash); ok {
		return contains
	}
	var lines layerLines
	_, flaw := read(data, &lines)
	return flaw != "" // otherwise there are no layers
}
