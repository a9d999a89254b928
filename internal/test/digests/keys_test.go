package digests

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

const (
	mostAdded   = 200_000 // keys to a filter
	mostQueried = 2000    // keys of a filter, and as many that no filter has
)

// keys are the keys that filters are built from, and mostQueried more: of 8 to 39 bytes, and
// each 64th of up to 1,031.
var keys = sync.OnceValue(func() [][]byte {
	random := vectors.Hashes(90, mostAdded+mostQueried)
	keys := make([][]byte, len(random))
	for i, word := range random {
		length := 8 + int(word>>32&31)
		if i%64 == 63 {
			length = 8 + int(word>>32&1023)
		}
		keys[i] = keyOf(word, length)
	}
	return keys
})

// keyOf makes a key of a random word.
func keyOf(word uint64, length int) []byte {
	key := make([]byte, 0, length+8)
	for len(key) < length {
		key = binary.LittleEndian.AppendUint64(key, word)
		word = word*0x9e3779b97f4a7c15 + 1
	}
	return key[:length:length]
}

// hashFunction is a key hash, with its hashes of the keys.
type hashFunction struct {
	keyhash.Hash
	ofKeys func() []uint64
}

var (
	hashFunctions = []hashFunction{hashedBy(keyhash.XX64), hashedBy(keyhash.XXPH3)}
	narrowHashes  = []hashFunction{hashedBy(keyhash.LevelDB32), hashedBy(keyhash.RocksDB32)}
)

func hashedBy(hash keyhash.Hash) hashFunction {
	return hashFunction{hash, sync.OnceValue(func() []uint64 { return hash.AppendHashes(nil, keys()) })}
}

// hostileHashes choose the first and the last block and those beside block boundaries, and
// there the bits in which a paired filter keeps its indexes, those at the ends of
// words, and the same bit with every probe.
var hostileHashes = sync.OnceValue(func() (hashes []uint64) {
	lows := []uint64{0, 1, 1<<25 - 1, 1 << 25, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1}
	highs := []uint64{0, 1<<23 - 1, 1<<31 - 1, 1<<32 - 1, 6<<23 | 5<<14, 0x5555_5555, 0xaaaa_aaaa}
	for shift := range 32 {
		highs = append(highs, 1<<shift)
	}
	for _, high := range highs {
		for _, low := range lows {
			hashes = append(hashes, high<<32|low)
		}
	}
	return hashes
})

// hashResults has digests of the key hashes themselves.
func hashResults() (all []result) {
	var keys [][]byte
	for length, word := range vectors.Hashes(91, 1100) {
		keys = append(keys, keyOf(word, length))
	}
	for _, f := range slices.Concat(hashFunctions, narrowHashes) {
		name := f.Name() + ": hashes of keys of 0 to 1,099 bytes"
		var inBatches, alone, ofStrings []byte
		for _, hash := range f.AppendHashes(nil, keys) {
			inBatches = binary.LittleEndian.AppendUint64(inBatches, hash)
		}
		for _, key := range keys {
			alone = binary.LittleEndian.AppendUint64(alone, f.Sum64(key))
			ofStrings = binary.LittleEndian.AppendUint64(ofStrings, f.Sum64String(string(key)))
		}
		all = append(
			all,
			result{name, "AppendHashes", digestOf(inBatches)},
			result{name, "Sum64", digestOf(alone)},
			result{name, "Sum64String", digestOf(ofStrings)},
		)
	}
	return all
}
