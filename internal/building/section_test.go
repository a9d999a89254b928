package building

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestSectionsOfSomeLists makes sections larger than a unit and smaller than a part.
func TestSectionsOfSomeLists(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	hashes := vectors.Hashes(1, 10_000)
	want := vectors.SumOf(hashes)
	for _, from := range []uint64{1 << 12, 1 << 14, 1 << 16} {
		func() {
			defer PartitionFrom(from)()
			if sectionBytes != from {
				t.Fatalf("sections of %d bytes", sectionBytes)
			}
			for _, unit := range []int{1, 32, 128} {
				for _, units := range []int{7, 100, 511, 512, 513, 1000} {
					for _, goroutines := range []int{1, 2, 3, 8} {
						b := newBuilder(t, &pliant{bytesPerHash: 20, most: asm.MaxBodyBytes, unit: unit}, Settings{Concurrency: goroutines})
						b.AddHashes(hashes)
						b.log.Flush()
						if !b.log.Partitioned() {
							t.Fatal("in no lists")
						}
						b.cut(uint32(units*unit), uint32(unit))
						what := fmt.Sprintf("%d units of %d, %d goroutines, from %d", units, unit, goroutines, from)
						checkParts(t, what, b, uint32(units*unit), uint32(unit), want)
						b.Reset()
					}
				}
			}
		}()
	}
}
