//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// mostCopied hashes take less than 20 microseconds, and more if the memory has no pages yet.
const mostCopied = 1 << 14

// CopyUnequal is [fallback.CopyUnequal]. It panics if dst is shorter than hashes.
//
// Equal neighbours are rare: the kernel copies octets up to one that has some.
func CopyUnequal(dst []uint64, before uint64, hashes []uint64) (kept int) {
	dst = dst[:len(hashes)]
	if cpu.Current() == cpu.Generic || len(hashes) <= octet {
		return fallback.CopyUnequal(dst, before, hashes)
	}
	raceWrite(dst)
	raceRead(hashes)
	// The kernel compares a hash with the one before it in memory.
	one := fallback.CopyUnequal(dst, before, hashes[:1])
	dst, before, hashes, kept = dst[one:], hashes[0], hashes[1:], one
	for len(hashes) >= octet {
		n := octet * copyOctets(&dst[0], &hashes[0], min(len(hashes), mostCopied)/octet)
		if n > 0 {
			before = hashes[n-1]
			dst, hashes, kept = dst[n:], hashes[n:], kept+n
		}
		if n < mostCopied && len(hashes) >= octet {
			n = fallback.CopyUnequal(dst, before, hashes[:octet])
			before = hashes[octet-1]
			dst, hashes, kept = dst[n:], hashes[octet:], kept+n
		}
	}
	return kept + fallback.CopyUnequal(dst, before, hashes)
}
