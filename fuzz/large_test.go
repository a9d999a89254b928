package fuzz

import (
	"os"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// Large filters are built in parts, from hashes in lists. Here the input sets from which
// size on filters count as large, because small ones take little time.

// addLargeBuilds seeds a target with bits per key, a seed, a level with the size of large
// filters, the number of hashes, a recipe for their pieces, options, and a limit.
func addLargeBuilds(f *testing.F) {
	shared := byte(sharedSizes)
	if os.Getenv("SIMDBLOOM_TEST_EXEC") != "" { // an emulator has no time for more
		shared--
	}
	for i, bpk := range []float64{0.5, 3, 10, 23.4, 50, 100} {
		for j, recipe := range []string{"AGZ", "EDBFC", "\xffX", ""} {
			n := 4*i + j
			size := [4]byte{shared, sharedSizes - 1, byte(9 * n), sharedSizes - byte(5*n)}[(i+2*j)%4]
			f.Add(bpk, uint64(n), byte(41*n), size, []byte(recipe), byte(59*n), []uint32{0, 0, 3000 * uint32(n), 60_000}[(i+j)%4])
		}
	}
	for i, limit := range []uint32{2 * 68, 2 * 69, 2 * 2051, 2 * 2052, 2 * 8196, 1 << 20} {
		f.Add(16.0, uint64(i), byte(i), byte(80*i), []byte("AGZ"), byte(5*i), limit)
	}
	f.Add(100.0, uint64(1), byte(8), shared, []byte{0xff}, byte(0xff), uint32(0))
}

// The number of hashes doubles every sizesOfDouble sizes. From sharedSizes on it is large
// enough for goroutines to share a piece.
const (
	sizesOfDouble = 18
	sharedSizes   = 250
)

// largeHashes returns the hashes of a size: one to 16,000, or about 100,000.
func largeHashes(seed uint64, size byte) []uint64 {
	most := uint64(1) << (size / sizesOfDouble)
	if size >= sharedSizes {
		most = 1 << 17
	}
	return vectors.Hashes(seed, int(most-seed%(most/2+1)))
}

// inParts returns the option with the size, up to 32 KiB, from which filters are built in parts.
func inParts(level byte) simdbloom.Option { return building.WithListsFrom(1 << (level / 4 % 16)) }

// FuzzBuildLargeFastLocal does what FuzzBuildFastLocal does, with filters that are built in parts,
// at every level, and with limits: half of a number, so that any int holds it, and no limit
// if that is 0.
func FuzzBuildLargeFastLocal(f *testing.F) {
	addLargeBuilds(f)
	all := levels()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(mostGoroutines))
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, level, size byte, recipe []byte, options byte, limit uint32) {
		defer cpu.Limit(all[int(level)%len(all)])()
		buildBloom(t, bpk, largeHashes(seed, size), recipe, options, int(limit>>1), inParts(level))
	})
}

// FuzzBuildLargePaired does so for paired filters.
func FuzzBuildLargePaired(f *testing.F) {
	addLargeBuilds(f)
	all := levels()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(mostGoroutines))
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, level, size byte, recipe []byte, options byte, limit uint32) {
		defer cpu.Limit(all[int(level)%len(all)])()
		buildPaired(t, bpk, largeHashes(seed, size), recipe, options, int(limit>>1), inParts(level))
	})
}

// realMillibits returns the bits per hash of the given number of blocks, in thousandths, up
// to the most that matter.
func realMillibits(blocks int, hashes []uint64) int {
	return int(min(uint64(blocks)*512_000/uint64(max(len(hashes), 1)), 100_000))
}

// bestProbes returns the number of probes with the fewest false positives in a paired filter
// that a limit cuts.
func bestProbes(millibits int) int {
	k := 2
	for most := 4200; k < 24 && millibits > most; most += 3000 {
		k += 2
	}
	return k
}

// chosenBatch returns the size of a body within a limit, and the size of its batches, which
// the builder chose. The other size of batches would not make a much larger filter.
func chosenBatch(t *testing.T, b *simdbloom.Builder, hashes []uint64, limit int) (bodyBytes, batch int) {
	t.Helper()
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	b.AddHashes(hashes)
	filter, err := paired.Open(data, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > limit || geometry.Of(filter).BatchBlocks == 128 && len(data)+128*64 <= limit {
		t.Fatalf("%d bytes in batches of %d, at most %d", len(data), geometry.Of(filter).BatchBlocks, limit)
	}
	return len(data) - 4, geometry.Of(filter).BatchBlocks
}

// checkFew checks a builder whose filter is FastLocal's, since its keys are few.
func checkFew(t *testing.T, bpk float64, b *simdbloom.Builder, hashes []uint64, limit int) {
	t.Helper()
	own, err := bloom.NewBuilder(bpk, keyhash.XX64, simdbloom.WithMaxBytes(limit))
	if err != nil {
		t.Fatal(err)
	}
	own.AddHashes(hashes)
	data, err := own.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 4<<10 {
		t.Fatalf("a FastLocal filter of %d bytes", len(data))
	}
	checkBuild(t, b, hashes, data)
}
