package main

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
)

// The filters with hashes of 32 bits, which are the low half of this program's. They are in
// sections of their own: their rates depend on the number of keys in ways of their own.
var (
	legacyKind = &kind{
		name:       "Legacy",
		newBuilder: func(b float64) (*simdbloom.Builder, error) { return legacy.NewBuilder(b, keyhash.RocksDB32) },
		open:       func(data []byte) (filter, error) { return legacy.Open(data, keyhash.RocksDB32) },
		predict:    func(n int, b float64) float64 { return legacy.PredictedFPR(n, b) },
		unitBytes:  asm.BlockBytes,
	}
	levelDBKind = &kind{
		name:       "LevelDB",
		newBuilder: func(b float64) (*simdbloom.Builder, error) { return leveldb.NewBuilder(b, keyhash.LevelDB32) },
		open:       func(data []byte) (filter, error) { return leveldb.Open(data, keyhash.LevelDB32) },
		predict:    func(n int, b float64) float64 { return leveldb.PredictedFPR(n, b) },
		unitBytes:  1,
	}
)

func newLegacies(s scope, p plan) *selection {
	return newNarrows(s, p, legacyKind, s.legacy, &selection{ofPredicted: 0.02, ofEstimated: 0.02, lines: true, remark: `
RocksDB's full filter before format_version 5, and Pebble's. One hash of 32 bits chooses a key's line, and the bits in it: the
hashes of a line, whose number is the hash modulo the number of lines, have similar bits if that is near a power of two. At 10
bits/key 65,535 lines are the worst up to there.
`})
}

func newLevelDBs(s scope, p plan) *selection {
	return newNarrows(s, p, levelDBKind, s.levelDB, &selection{ofPredicted: tolerance, ofEstimated: 0.1, remark: `
LevelDB's filter, and goleveldb's. A key's probes are its hash of 32 bits plus multiples of one number, modulo the number of bits.
The rate is higher where that is a multiple of 3 and 5 (3,000 keys at 10 bits/key, but not 3,001), and in large filters where
the third probes of all keys share some bits (100,003 keys). It is highest where both come together (300,000).
`})
}

// newNarrows plans the settings, with fewer filters than others have where keys are few:
// estimating a legacy filter's rate takes as long as some million lookups.
func newNarrows(s scope, p plan, k *kind, points []point, section *selection) *selection {
	section.measure(s, p, k, points)
	for _, e := range section.rows {
		if most := s.mostNarrow; e.filters > most {
			e.filters, e.perFilter = most, int(e.queries())/most
		}
	}
	return section
}
