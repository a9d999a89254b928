package main

import (
	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

// newLegacy returns package legacy's filter.
func newLegacy(s *settings) *own { return newOwn(s, legacyKind) }

var legacyKind = kind{
	title: "legacy", prefix: "legacy ", hash: keyhash.RocksDB32,
	bitsPerKey: wholeBits,
	newBuilder: legacy.NewBuilder, open: legacy.Open,
	inBytes: func(data []byte, hashes []uint64) (found int) {
		for _, hash := range hashes {
			found += tables.One(legacy.MayContainHash(data, hash))
		}
		return found
	},
	smaller: true,
	more:    asm.BlockBytes, // numbers of lines are odd
	oneCPU:  true,
	inPureGo: func(f *root.Filter, body []byte) func(hash uint64) bool {
		lines, probes := uint32(legacy.NumLines(f)), f.NumProbes()
		return func(hash uint64) bool { return fallback.LegacyContains(body, lines, probes, hash) }
	},
}
