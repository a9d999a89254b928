package fuzz

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// FuzzLegacyKernels does what FuzzFastLocalKernels does for legacy filters, which have hashes
// of 32 bits: the low halves. Some have lines of two blocks, or more probes than kernels
// take.
func FuzzLegacyKernels(f *testing.F) {
	addKernels(f, [][]byte{nil, {0xff}, []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff"), []byte("some bytes")})
	all, p, room := levels(), newPlaces(f), testmem.HalfWords(testmem.Between(f, 4*mostHashes))
	f.Fuzz(func(t *testing.T, level, probes, blocks, place byte, piece, queried []byte, more uint16) {
		defer cpu.Limit(all[int(level)%len(all)])()
		k, lines := 1+int(probes-1)%asm.MaxLegacyProbes, 1+uint32(blocks)
		body, hashes := p.put(int(lines)*asm.BlockBytes, place, piece, queried, more)
		if lines%2 == 0 && place&64 != 0 {
			lines /= 2
		}
		// narrow puts the halves right behind an unreadable page, or right before one.
		narrow := func(hashes []uint64) []uint32 {
			narrow := room[:len(hashes)]
			if place&1 != 0 {
				narrow = room[len(room)-len(hashes):]
			}
			copy(narrow, vectors.Narrowed(hashes))
			return narrow
		}
		p.check(t, kernels{
			func(body []byte, hash uint64) bool {
				f := asm.NewLegacy(body, lines, k)
				return f.Contains(uint32(hash))
			},
			func(body []byte, hash uint64) bool { return fallback.LegacyContains(body, lines, k, uint32(hash)) },
			func(body []byte, hashes, hits []uint64) {
				f := asm.NewLegacy(body, lines, k)
				f.ContainsBits(narrow(hashes), hits)
			},
			func(body []byte, hashes []uint64, hits []bool) {
				f := asm.NewLegacy(body, lines, k)
				f.ContainsBools(narrow(hashes), hits)
			},
			func(body []byte, hashes []uint64) { asm.LegacyAdd(body, lines, k, narrow(hashes)) },
			func(body []byte, hashes []uint64) { fallback.LegacyAdd(body, lines, k, narrow(hashes)) },
		}, body, hashes, place)
	})
}
