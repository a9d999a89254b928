package main

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/policy"
)

// The filters with hashes of 32 bits, which are the low half of this program's. They are in
// sections of their own: their rates depend on the number of keys in ways of their own.
var (
	legacyKind = narrowKind("Legacy", "rocksdb.internal.LegacyBloomFilter", asm.BlockBytes,
		func(n int, b float64) float64 { return legacy.PredictedFPR(n, b) })
	levelDBKind = narrowKind("LevelDB", "leveldb.BuiltinBloomFilter2", 1,
		func(n int, b float64) float64 { return leveldb.PredictedFPR(n, b) })
)

func narrowKind(name, policyName string, unitBytes int, predict func(n int, bitsPerKey float64) float64) *kind {
	parsed := func(bitsPerKey float64) (policy.Policy, error) {
		return policy.Parse(fmt.Sprint(policyName, ":", bitsPerKey))
	}
	return &kind{
		name: name,
		newBuilder: func(b float64) (policy.Builder, error) {
			p, err := parsed(b)
			if err != nil {
				return nil, err
			}
			return p.NewBuilder(), nil
		},
		open: func(data []byte) (filter, error) {
			p, err := parsed(10) // bits per key, which no reader needs
			if err != nil {
				return nil, err
			}
			return p.Open(data)
		},
		predict:   predict,
		unitBytes: unitBytes,
	}
}

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
