package fallback

import (
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/internal/hashing"
)

// HashUint64s sets hashes[i] to XXH64, with seed 0, of the 8 little-endian bytes of words[i]. It
// panics if hashes is shorter than words. The two may begin at the same place in memory, but
// must not overlap otherwise.
func HashUint64s(hashes, words []uint64) {
	hashes = hashes[:len(words):len(hashes)] // within its length, not its capacity
	for i, word := range words {
		hashes[i] = hashing.XX64Word(word)
	}
}

// HashPairs sets hashes[i] to XXH64, with seed 0, of pairs[i]. It panics if hashes is shorter than pairs. The two must
// not overlap in memory.
func HashPairs(hashes []uint64, pairs [][16]byte) {
	hashes = hashes[:len(pairs):len(hashes)]
	for i := range pairs {
		hashes[i] = hashing.XX64Finish(hashing.XX64Rest(hashing.XX64First(pairs[i][:]), pairs[i][:]))
	}
}

// HashUint32s sets hashes[i] to XXH64, with seed 0, of the 4 little-endian bytes of words[i]. It
// panics if hashes is shorter than words. The two must not overlap in memory.
func HashUint32s(hashes []uint64, words []uint32) {
	hashes = hashes[:len(words):len(hashes)]
	for i, word := range words {
		hashes[i] = hashing.XX64Half(word)
	}
}

// HashKeys sets hashes[i] to XXH64, with seed 0, of keys[i]. It panics if hashes is shorter than keys.
func HashKeys(hashes []uint64, keys [][]byte) {
	hashes = hashes[:len(keys):len(hashes)]
	for i, key := range keys {
		if hashing.XX64IsShort(len(key)) {
			hashes[i] = hashing.XX64Finish(hashing.XX64Rest(hashing.XX64First(key), key))
		} else {
			hashes[i] = xxhash.Sum64(key)
		}
	}
}

// HashKeysXXPH3 sets hashes[i] to XXPH3, with seed 0, of keys[i]. It panics if hashes is shorter than keys.
func HashKeysXXPH3(hashes []uint64, keys [][]byte) {
	hashes = hashes[:len(keys):len(hashes)]
	for i, key := range keys {
		switch n := len(key); { // without two calls for a short key
		case n > 3 && n <= 8:
			hashes[i] = hashing.XXPH3Of8(key)
		case n > 8 && n <= 16:
			hashes[i] = hashing.XXPH3Of16(key)
		case n > 16 && n <= 128:
			hashes[i] = hashing.XXPH3Of128(key)
		default:
			hashes[i] = hashing.XXPH3(key)
		}
	}
}

// HashKeys32 sets hashes[i] to LevelDB's hash of 32 bits of keys[i], or to RocksDB's if bytes behind the last whole
// four are extended by their sign. It panics if hashes is shorter than keys.
func HashKeys32(hashes []uint64, keys [][]byte, signed bool) {
	hashes = hashes[:len(keys):len(hashes)]
	if signed {
		for i, key := range keys {
			hashes[i] = uint64(hashing.Signed32(key))
		}
		return
	}
	for i, key := range keys {
		hashes[i] = uint64(hashing.Unsigned32(key))
	}
}

// HashStrings sets hashes[i] to XXH64, with seed 0, of the bytes of data from offsets[i] up to
// offsets[i+1]. It panics if there is not one offset more than there are hashes, or if offsets are
// decreasing or beyond the data: then the hashes may have been written in part.
func HashStrings[O uint32 | uint64](hashes []uint64, offsets []O, data []byte) {
	CheckOffsets(len(hashes), len(offsets))
	data = data[:len(data):len(data)] // offsets within its capacity are beyond it, too
	from := offsets[0]
	for i, to := range offsets[1:] {
		key := data[from:to]
		if hashing.XX64IsShort(len(key)) {
			hashes[i] = hashing.XX64Finish(hashing.XX64Rest(hashing.XX64First(key), key))
		} else {
			hashes[i] = xxhash.Sum64(key)
		}
		from = to
	}
}

// HashSpans sets hashes[i] to XXH64, with seed 0, of the bytes of data from spans[i][0] up to spans[i][1]. It panics
// if hashes is shorter than spans, or if a span has a negative length or is beyond the data: then the hashes may have
// been written in part.
func HashSpans(hashes []uint64, spans [][2]uint32, data []byte) {
	hashes, data = hashes[:len(spans):len(hashes)], data[:len(data):len(data)]
	for i, span := range spans {
		key := data[span[0]:span[1]]
		if hashing.XX64IsShort(len(key)) {
			hashes[i] = hashing.XX64Finish(hashing.XX64Rest(hashing.XX64First(key), key))
		} else {
			hashes[i] = xxhash.Sum64(key)
		}
	}
}

// CheckOffsets panics if there is not one offset more than there are strings.
func CheckOffsets(strings, offsets int) {
	if offsets-1 != strings {
		panic(fmt.Sprintf("simdbloom: %d strings need %d offsets, not %d", strings, strings+1, offsets))
	}
}
