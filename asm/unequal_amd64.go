//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// mostCopied hashes take less than 20 microseconds, and more if the room has no pages yet.
const mostCopied = 1 << 14

// Equal neighbours are rare: the kernel copies octets up to one that has some.
func copyUnequal(room []uint64, before uint64, hashes []uint64) (kept int) {
	if cpu.Current() == cpu.Generic || len(hashes) <= octet {
		return fallback.CopyUnequal(room, before, hashes)
	}
	// The kernel compares a hash with the one before it in memory.
	one := fallback.CopyUnequal(room, before, hashes[:1])
	room, before, hashes, kept = room[one:], hashes[0], hashes[1:], one
	for len(hashes) >= octet {
		n := octet * copyOctets(&room[0], &hashes[0], min(len(hashes), mostCopied)/octet)
		if n > 0 {
			before = hashes[n-1]
			room, hashes, kept = room[n:], hashes[n:], kept+n
		}
		if n < mostCopied && len(hashes) >= octet {
			n = fallback.CopyUnequal(room, before, hashes[:octet])
			before = hashes[octet-1]
			room, hashes, kept = room[n:], hashes[octet:], kept+n
		}
	}
	return kept + fallback.CopyUnequal(room, before, hashes)
}
