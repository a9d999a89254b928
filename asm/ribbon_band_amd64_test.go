//go:build !purego

package asm

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestRibbonKernelsBesideGuards has a part's keys and slots beside memory that may not be touched.
func TestRibbonKernelsBesideGuards(t *testing.T) {
	if !cpu.Current().Includes(cpu.AVX2) {
		t.Skip("no kernels")
	}
	random := rand.New(rand.NewPCG(3, 4))
	for _, blocks := range []int{2, 3, 32} {
		slots := blocks * fallback.RibbonBlockSlots
		shape := fallback.NewRibbonShape(0, uint32(blocks), 7)
		hashes := make([]uint64, slots*9/10)
		for i := range hashes {
			hashes[i] = random.Uint64()
		}
		var b ribbonBander
		ends := b.sort(&shape, slots, hashes)
		var rows [2][]uint64
		var results [2][]uint32
		for i := range 2 {
			place := func(bytes int) []byte {
				memory := testmem.Between(t, bytes)
				if i == 1 {
					memory = memory[len(memory)-bytes:]
				}
				return memory[:bytes]
			}
			keys, theirEnds := testmem.Words(place(8*len(hashes))), testmem.HalfWords(place(4*len(ends)))
			copy(keys, b.keys[:len(hashes)])
			copy(theirEnds, ends)
			rows[i], results[i] = testmem.Words(place(16*slots)), testmem.HalfWords(place(4*slots))
			row := func(slot int) *[2]uint64 { return (*[2]uint64)(unsafe.Pointer(&rows[i][2*slot])) }
			room := new(ribbonScratch)
			for i := range room.free {
				room.free[i] = ^uint64(0)
			}
			taken := ribbonBandAVX2(room, row(0), &results[i][0], &keys[0], 0, &theirEnds[0], slots/frameSlots, 0, shape.Starts)
			if taken != slots/frameSlots || room.wrong != [4]uint64{} {
				t.Fatalf("%d blocks: %d frames taken", blocks, taken)
			}
			for slot := 0; slot < slots; slot += fallback.RibbonBlockSlots {
				ribbonSolve8AVX2(new(ribbonWindows), row(slot), &results[i][slot])
				ribbonSolve16AVX2(new(ribbonWindows), row(slot), &results[i][slot])
			}
		}
		if !slices.Equal(rows[0], rows[1]) || !slices.Equal(results[0], results[1]) {
			t.Errorf("%d blocks: other equations at another place", blocks)
		}
	}
}
