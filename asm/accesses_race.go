//go:build race

package asm

import (
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/race"
)

// These functions tell the race detector what kernels read and write.

// block is the hash's block, or the body's first one in formats whose builders alone write, and never beside lookups.
func (k *Kernel) block(hash uint64) []byte {
	if k.byBlock == 0 {
		return k.body[:min(BlockBytes, len(k.body))]
	}
	if k.format == SplitBlock {
		return k.body[uint64(fallback.Block(hash>>(8*k.chooses), uint32(len(k.body)/SplitBlockBytes)))*SplitBlockBytes:][:SplitBlockBytes]
	}
	return k.body[uint64(fallback.Block(hash, uint32(k.byBlock/BlockBytes)))*BlockBytes:][:BlockBytes]
}

// looksUp marks the lookup of a hash. Those in a shared body meet atomic operations.
func (k *Kernel) looksUp(hash uint64) {
	if !k.shared {
		race.Read(k.block(hash))
	}
}

func (k *Kernel) looksUpAll(hashes []uint64) {
	race.Read(hashes)
	for _, hash := range hashes {
		k.looksUp(hash)
	}
}

func (k *Kernel) looksUpBits(hashes, hits []uint64) {
	k.looksUpAll(hashes)
	race.Write(hits[:min(Words(len(hashes)), len(hits))])
}

func (k *Kernel) looksUpBools(hashes []uint64, hits []bool) {
	k.looksUpAll(hashes)
	race.Write(hits[:min(len(hashes), len(hits))])
}

func (k *Kernel) addsOne(hash uint64) { race.Write(k.block(hash)) }

func (k *Kernel) addsAll(hashes []uint64) {
	race.Read(hashes)
	for _, hash := range hashes {
		k.addsOne(hash)
	}
}

func readsBytes(data []byte) { race.Read(data[:min(BlockBytes, len(data))]) }

func readsKey(key []byte) { race.Read(key) }

func readsKeys(keys [][]byte) {
	race.Read(keys)
	for _, key := range keys {
		race.Read(key)
	}
}

func writesLines(body []byte, lines int) { race.Write(body[:lines*BlockBytes]) }
