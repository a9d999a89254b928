//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// keyKinds are the kinds of keys that tables are written with.
var keyKinds = map[string]func(*rand.Rand) []byte{
	"short": func(random *rand.Rand) []byte { return randomBytes(random, 4+random.IntN(5)) },
	"long": func(random *rand.Rand) []byte {
		size := 200 + random.IntN(64)
		if random.IntN(500) == 0 {
			size += random.IntN(4000)
		}
		return randomBytes(random, size)
	},
	// Most of their bytes are the least and the greatest there is. Some are the
	// beginnings of others.
	"binary": func(random *rand.Rand) []byte {
		key := randomBytes(random, random.IntN(20)*random.IntN(20))
		for i := range key {
			switch random.IntN(4) {
			case 0:
				key[i] = 0
			case 1:
				key[i] = 0xff
			}
		}
		return key
	},
}

func randomBytes(random *rand.Rand, n int) []byte {
	key := binary.LittleEndian.AppendUint64(make([]byte, 0, n+8), random.Uint64())
	for len(key) < n {
		key = binary.LittleEndian.AppendUint64(key, random.Uint64())
	}
	return key[:n]
}

// sortedKeys returns n different keys of the kind, in RocksDB's order.
func sortedKeys(kind string, seed uint64, n int) [][]byte {
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	var keys [][]byte
	for len(keys) < n {
		for range n - len(keys) {
			keys = append(keys, keyKinds[kind](random))
		}
		slices.SortFunc(keys, bytes.Compare)
		keys = slices.CompactFunc(keys, bytes.Equal)
	}
	return keys
}
