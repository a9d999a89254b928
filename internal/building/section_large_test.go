package building

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestSectionsOfLargeFilters covers filters of up to 4 GiB: only their numbers of blocks
// exist.
func TestSectionsOfLargeFilters(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	defer PartitionFrom(1 << 20)()
	hashes := vectors.Hashes(11, 60_000)
	for i := range hashes[:2000] { // beside borders of lists
		hashes[i] = hashes[i]&^0xffffffff | uint64(uint32(uint64(i/4)<<asm.ListShift+uint64(i%4)-2))
	}
	for i := range hashes[:20_000] {
		hashes[2000+i] = hashes[2000+i]&^0xffffffff | uint64(uint32(hashes[2000+i])>>9+123<<asm.ListShift)
	}
	want := vectors.SumOf(hashes)
	for _, unit := range []uint32{1, 32, 128} {
		for _, blocks := range []uint32{16_384, 1 << 20, 1<<22 - 128, 1 << 22, 1<<22 + 128, 1 << 25, 1<<26 - 1} {
			blocks = blocks / unit * unit
			for _, goroutines := range []int{1, 2, 8} {
				b := newBuilder(t, &pliant{bytesPerHash: 20, most: asm.MaxBodyBytes, unit: int(unit)}, Settings{Concurrency: goroutines})
				b.AddHashes(hashes)
				b.log.Flush()
				b.cut(blocks, unit)
				if !b.log.Partitioned() || goroutines > 1 && len(b.parts) == 1 {
					t.Fatal("one part")
				}
				checkParts(t, fmt.Sprintf("%d blocks, unit %d, %d goroutines", blocks, unit, goroutines), b, blocks, unit, want)
				b.Reset()
			}
		}
	}
}
