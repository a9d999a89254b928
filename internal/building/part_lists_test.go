package building

import (
	"iter"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestPartsShareNoMemory reads two parts of one list in turn, as goroutines do.
func TestPartsShareNoMemory(t *testing.T) {
	defer PartitionFrom(0)()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const blocks = 100_000
	hashes := vectors.Hashes(12, 20_000)
	for i := range hashes {
		hashes[i] = hashes[i]&^(0x1ff<<asm.ListShift) | 300<<asm.ListShift
	}
	b := newBuilder(t, &pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}, Settings{Concurrency: 2})
	b.AddHashes(hashes)
	b.log.Flush()
	b.cut(blocks, 1)
	if len(b.parts) != 2 {
		t.Fatalf("%d parts", len(b.parts))
	}
	next, stop := iter.Pull(b.parts[0].Hashes())
	defer stop()
	nextOther, stopOther := iter.Pull(b.parts[1].Hashes())
	defer stopOther()
	for {
		mine, more := next()
		if !more {
			break
		}
		before := slices.Clone(mine)
		nextOther()
		if !slices.Equal(mine, before) {
			t.Fatal("the hashes of a part changed when those of another were read")
		}
	}
}

// TestPartsOfOneList has all hashes in one list, or two far from each other.
func TestPartsOfOneList(t *testing.T) {
	defer PartitionFrom(0)()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	const goroutines, n = 8, 160_000
	for _, other := range []uint64{0, 100} {
		hashes := vectors.Hashes(13, n)
		for i := range hashes {
			hashes[i] = hashes[i]&^(0x1ff<<asm.ListShift) | (300+uint64(i%2)*other)<<asm.ListShift
		}
		b := newBuilder(t, &pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}, Settings{Concurrency: goroutines})
		b.AddHashes(hashes)
		b.log.Flush()
		b.cut(1<<20, 1)
		if len(b.parts) != goroutines {
			t.Errorf("%d parts", len(b.parts))
		}
		for i, part := range b.parts {
			mine := 0
			for hashes := range part.Hashes() {
				mine += len(hashes)
			}
			if mine > n/goroutines*5/4 {
				t.Errorf("part %d has %d of %d hashes", i, mine, n)
			}
		}
	}
}
