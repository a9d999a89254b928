package paired

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/paired"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// emulated says that everything takes many times as long.
var emulated = os.Getenv("SIMDBLOOM_TEST_EXEC") != ""

// TestFilledInSections has sections down to a single list or batch, which begin
// and end within batches.
func TestFilledInSections(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	n := 30_000 // hundreds of sections in the largest filters
	if asm.Level() == cpu.Generic || emulated {
		n = 4000 // still dozens
	}
	inputs := map[string][]uint64{"even": vectors.Hashes(21, n), "few": vectors.Hashes(22, 2000)}
	for i, hash := range inputs["even"] {
		low := uint64(uint32(hash))
		inputs["steep"] = append(inputs["steep"], hash&^0xffffffff|low*low>>32*low>>32)
		inputs["ends"] = append(inputs["ends"], hash&^0xffffffff|uint64(i%2)*0xffffffff)
		inputs["one list"] = append(inputs["one list"], hash&^(0x1ff<<23)|400<<23)
	}
	for name, hashes := range inputs {
		for _, batch := range []int{32, 128} {
			for _, millibits := range []int{10_000, 23_400, 100_000} {
				want := naive.Paired(hashes, millibits, paired.NumProbes(millibits, batch), batch, false)
				for _, from := range []uint64{1, uint64(n / 5), uint64(n)} {
					for _, goroutines := range []int{1, 2, 8} {
						b, err := NewBuilder(float64(millibits)/1000, keyhash.XX64, WithBatchBlocks(batch), simdbloom.WithConcurrency(goroutines), simdbloom.WithVerification(), building.WithListsFrom(from))
						if err != nil {
							t.Fatal(err)
						}
						for range 2 {
							b.AddHashes(hashes)
							got, err := b.Finish()
							if what := fmt.Sprintf("%s, batches of %d, from %d, %d goroutines", name, batch, from, goroutines); err != nil || !bytes.Equal(got, want) {
								t.Errorf("%s: other bytes, %v", what, err)
							}
						}
					}
				}
			}
		}
	}
}
