package main

import (
	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// newLevelDB returns package leveldb's filter.
func newLevelDB(s *settings) *own { return newOwn(s, levelDBKind) }

var levelDBKind = kind{
	title: "leveldb", prefix: "leveldb ", hash: keyhash.LevelDB32,
	bitsPerKey: wholeBits,
	newBuilder: leveldb.NewBuilder, open: leveldb.Open,
	inBytes: func(data []byte, hashes []uint64) (found int) {
		for _, hash := range hashes {
			found += tables.One(leveldb.MayContainHash(data, hash))
		}
		return found
	},
	smaller:   true,
	more:      1, // bytes are whole
	oneCPU:    true,
	pureGo:    true,
	bodyBytes: func(bytes int) int { return bytes - 1 },
	inPureGo: func(f *root.Filter, body []byte) func(hash uint64) bool {
		modulus, probes := fallback.NewModulus(8*uint64(len(body))), f.NumProbes()
		return func(hash uint64) bool { return fallback.LevelDBContains(body, modulus, probes, hash) }
	},
}
