package fuzz

import (
	"encoding/binary"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
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

// FuzzBuildLegacy does what FuzzBuildFastLocal does, at every level.
func FuzzBuildLegacy(f *testing.F) {
	addBuilds(f)
	all := levels()
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		for _, level := range all {
			restore := cpu.Limit(level)
			buildNarrow(t, legacy.NewBuilder, keyhash.RocksDB32, bpk, seed, n, recipe, options, feed, naiveLegacy)
			restore()
		}
	})
}

// naiveLegacy builds a filter by package naive.
func naiveLegacy(hashes []uint32, bitsPerKey uint64) []byte {
	if len(hashes) == 0 {
		return nil
	}
	bitsPerKey = min(bitsPerKey, 100)
	lines := (uint64(len(hashes))*bitsPerKey+511)/512 | 1
	k := int(min(max(float64(bitsPerKey)*0.69, 1), 30))
	body := make([]byte, lines*asm.BlockBytes)
	for _, hash := range hashes {
		naive.LegacyAdd(body, uint32(lines), k, hash)
	}
	return binary.LittleEndian.AppendUint32(append(body, byte(k)), uint32(lines))
}
