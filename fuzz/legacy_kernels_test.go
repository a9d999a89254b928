package fuzz

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// FuzzLegacyKernels does what FuzzFastLocalKernels does for legacy filters, which have hashes
// of 32 bits: the low halves. Some have lines of two blocks, or more probes than kernels
// take.
func FuzzLegacyKernels(f *testing.F) {
	addKernels(f, [][]byte{nil, {0xff}, []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff"), []byte("some bytes")})
	all, p := levels(), newPlaces(f)
	f.Fuzz(func(t *testing.T, level, probes, blocks, place byte, piece, queried []byte, more uint16) {
		defer cpu.Limit(all[int(level)%len(all)])()
		k, lines := 1+int(probes-1)%127, 1+uint32(blocks)
		body, hashes := p.put(int(lines)*asm.BlockBytes, place, piece, queried, more)
		if lines%2 == 0 && place&64 != 0 {
			lines /= 2
		}
		p.check(t, kernels{
			func(body []byte, hash uint64) bool {
				f := asm.NewLegacy(body, lines, k)
				return f.Contains(hash)
			},
			func(body []byte, hash uint64) bool { return fallback.LegacyContains(body, lines, k, hash) },
			func(body []byte) asm.Kernel { return asm.NewLegacy(body, lines, k) },
			func(body []byte, hashes []uint64) { asm.LegacyAdd(body, lines, k, hashes) },
			func(body []byte, hashes []uint64) { fallback.LegacyAdd(body, lines, k, hashes) },
		}, body, hashes, place)
	})
}
