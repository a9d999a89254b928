package fuzz

import (
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// FuzzSplitBlockKernels does what FuzzFastLocalKernels does for Parquet's filters.
func FuzzSplitBlockKernels(f *testing.F) {
	addKernels(f, [][]byte{nil, {0xff}, []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff"), []byte("some bytes")})
	all, p := levels(), newPlaces(f)
	f.Fuzz(func(t *testing.T, level, _, blocks, place byte, piece, queried []byte, more uint16) {
		defer cpu.Limit(all[int(level)%len(all)])()
		body, hashes := p.put((1+int(blocks))*asm.SplitBlockBytes, place, piece, queried, more)
		p.check(t, kernels{
			func(body []byte, hash uint64) bool {
				prepared := asm.NewSplitBlock(body)
				return prepared.Contains(hash)
			},
			fallback.SplitBlockContains,
			asm.NewSplitBlock,
			func(body []byte, hashes []uint64) { asm.SplitBlockAdd(body, hashes, false) },
			fallback.SplitBlockAdd,
		}, body, hashes, place)
	})
}

// FuzzBuildSplitBlock does what FuzzBuildFastLocal does.
func FuzzBuildSplitBlock(f *testing.F) {
	addBuilds(f)
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		buildSplitBlock(t, bpk, vectors.Hashes(seed, int(n)), recipe, options, 0)
	})
}

// FuzzBuildLargeSplitBlock does what FuzzBuildLargeFastLocal does.
func FuzzBuildLargeSplitBlock(f *testing.F) {
	addLargeBuilds(f)
	all := levels()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(mostGoroutines))
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, level, size byte, recipe []byte, options byte, limit uint32) {
		defer cpu.Limit(all[int(level)%len(all)])()
		buildSplitBlock(t, bpk, largeHashes(seed, size), recipe, options, int(limit>>1), inParts(level))
	})
}

// buildSplitBlock does what buildBloom does. An odd number of goroutines has the limit be the exact size.
func buildSplitBlock(t *testing.T, bpk float64, hashes []uint64, recipe []byte, options byte, limit int, more ...simdbloom.Option) {
	t.Helper()
	with := append(more, simdbloom.WithConcurrency(goroutines(options)), simdbloom.WithVerification())
	exact := limit > 0 && goroutines(options)%2 != 0
	switch {
	case exact:
		limit = limit / 32 * 32
		with = append(with, simdbloom.WithSizeBytes(limit))
	case limit > 0:
		with = append(with, simdbloom.WithMaxBytes(limit))
	}
	b, err := splitblock.NewBuilder(bpk, keyhash.XX64, with...)
	if (limit > 0 || exact) && limit < 32 {
		refused(t, limit, err)
		return
	}
	if !accepted(t, bpk, err) {
		return
	}
	hashes = feed(b, hashes, recipe)
	blocks := int((int64(len(hashes))*int64(millibits(bpk)) + 255_999) / 256_000)
	if exact || limit > 0 && 32*blocks > limit {
		blocks = limit / 32
	}
	checkBuild(t, b, hashes, naive.SplitBlock(blocks, hashes))
}
