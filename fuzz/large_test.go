package fuzz

import (
	"os"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// Large filters are built in parts, from hashes in lists. What is large, a part of the
// input says here: small ones take little time.

// addLargeBuilds seeds a target with bits per key, a seed, a level and how large is
// large, the number of hashes, a recipe for their pieces, options, and a limit.
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
}

// Every so many sizes there are twice as many hashes. The last sizes have so many
// that goroutines share a piece.
const (
	sizesOfDouble = 18
	sharedSizes   = 250
)

// largeHashes returns as many hashes as a size says, one to 16,000 or about 100,000.
func largeHashes(seed uint64, size byte) []uint64 {
	most := uint64(1) << (size / sizesOfDouble)
	if size >= sharedSizes {
		most = 1 << 17
	}
	return vectors.Hashes(seed, int(most-seed%(most/2+1)))
}

// limitLevel puts the process at a level, and has filters from a size on, up to 32
// KiB, built in parts, until restore is called.
func limitLevel(all []cpu.Level, level byte) (restore func()) {
	restoreLevel := cpu.Limit(all[int(level)%len(all)])
	restoreSize := building.PartitionFrom(1 << (level / 4 % 16))
	return func() {
		restoreSize()
		restoreLevel()
	}
}

// FuzzBuildLargeBloom does what FuzzBuildBloom does with filters that are built in
// parts, at every level, and with limits: half of a number, so that any int holds it,
// and none if that is 0.
func FuzzBuildLargeBloom(f *testing.F) {
	addLargeBuilds(f)
	all := levels()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(mostGoroutines))
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, level, size byte, recipe []byte, options byte, limit uint32) {
		defer limitLevel(all, level)()
		buildBloom(t, bpk, largeHashes(seed, size), recipe, options, int(limit>>1))
	})
}

// FuzzBuildLargePaired does so for paired filters.
func FuzzBuildLargePaired(f *testing.F) {
	addLargeBuilds(f)
	all := levels()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(mostGoroutines))
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, level, size byte, recipe []byte, options byte, limit uint32) {
		defer limitLevel(all, level)()
		buildPaired(t, bpk, largeHashes(seed, size), recipe, options, int(limit>>1))
	})
}

// realMillibits returns how many bits so many blocks have for each hash, in
// thousandths, as far as they matter.
func realMillibits(blocks int, hashes []uint64) int {
	return int(min(uint64(blocks)*512_000/uint64(max(len(hashes), 1)), 100_000))
}

// bestProbes returns how many err least in a paired filter that a limit cuts.
func bestProbes(millibits int) int {
	k := 2
	for most := 4200; k < 24 && millibits > most; most += 3000 {
		k += 2
	}
	return k
}

// chosenBatch returns the size of a body within a limit and its batches, which the
// builder chose. The batches of the other size would make no filter that is much
// larger.
func chosenBatch(t *testing.T, b policy.Builder, hashes []uint64, limit int) (bodyBytes, batch int) {
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
	if len(data) > limit || filter.BatchBlocks() == 128 && len(data)+128*64 <= limit {
		t.Fatalf("%d bytes in batches of %d, at most %d", len(data), filter.BatchBlocks(), limit)
	}
	return len(data) - 4, filter.BatchBlocks()
}
