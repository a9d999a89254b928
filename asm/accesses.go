package asm

import (
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/race"
)

// These functions tell the race detector what kernels read and write. They are called under race.Enabled only.

// block is the hash's block, or the body's first one in formats whose builders alone write, and never beside lookups.
func (k *Kernel) block(hash uint64) []byte {
	if k.byBlock == 0 {
		return firstBlock(k.body)
	}
	return k.body[uint64(fallback.Block(hash, uint32(k.byBlock/BlockBytes)))*BlockBytes:][:BlockBytes]
}

func firstBlock(data []byte) []byte { return data[:min(BlockBytes, len(data))] }

// looksUp marks the lookup of a hash. Those in a shared body meet atomic operations.
func (k *Kernel) looksUp(hash uint64) {
	if !k.shared {
		race.Read(k.block(hash))
	}
}

// looksUpBatch marks a lookup of hashes, whose answers go to hits.
func looksUpBatch[T uint64 | bool](k *Kernel, hashes []uint64, hits []T, answers int) {
	race.Read(hashes)
	race.Write(hits[:min(answers, len(hits))])
	for _, hash := range hashes {
		k.looksUp(hash)
	}
}

// added marks adding hashes.
func (k *Kernel) added(hashes ...uint64) {
	race.Read(hashes)
	for _, hash := range hashes {
		race.Write(k.block(hash))
	}
}
