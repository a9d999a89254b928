package asm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestNothingBesideIsTouched looks up hashes in bodies of a few blocks, or of one batch,
// at 64 places behind an unreadable page and before one: a kernel at both ends and some
// others. The body is read-only. Hashes and answers are right beside such pages, too.
func TestNothingBesideIsTouched(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		hashScratch := testmem.Words(testmem.Between(t, 8*longestTail))
		hits := guardedRoom(t, longestTail)
		for _, units := range []int{1, 2, 3} {
			for i, kernel := range everyKernel() {
				if kernel.batch == 1 || units == 1 {
					testBesideGuards(t, kernel, i+units, units*kernel.batch, hashScratch, hits)
				}
			}
		}
	})
}

func testBesideGuards(t *testing.T, kernel kernels, variant, blocks int, hashScratch []uint64, hits room) {
	hashes := hashesFor(uint64(blocks))
	contents := kernel.balancedBody(rand.New(rand.NewPCG(uint64(variant), 82)), blocks*asm.BlockBytes)
	want := kernel.answers(contents, hashes)
	memory := testmem.Between(t, len(contents)+asm.BlockBytes)

	// Every batch length meets every combination of ends, and every place of the
	// body some batch lengths.
	step, every := 4, 1 // other places with another kernel
	if slow {
		step, every = 16, 5 // other lengths, too
	}
	last := len(memory) - len(contents)
	bodyPlaces := []int{0, last}
	for place := 1 + variant%step; place < asm.BlockBytes; place += step {
		bodyPlaces = append(bodyPlaces, place, last-place)
	}
	for i, at := range bodyPlaces {
		describe := func() string {
			return fmt.Sprintf("%s, %d blocks, place %d of 0 to %d", kernel.name, blocks, at, last)
		}
		body := memory[at : at+len(contents) : at+len(contents)]
		copy(body, contents)
		writable := testmem.ReadOnly(t, memory)
		kernel.checkSingles(t, body, hashes, want, describe)
		for turn := i*every + variant%every; turn < 4*(longestTail+1); turn += every * len(bodyPlaces) {
			n, ends := turn/4, turn+variant
			queried, to := hashScratch[:n], 0
			if ends&1 != 0 {
				queried = hashScratch[len(hashScratch)-n:]
			}
			if ends&2 != 0 {
				to = atEnd
			}
			copy(queried, hashes)
			kernel.checkBatch(t, hits, to, body, queried, want, describe)
			if !slices.Equal(queried, hashes[:n]) {
				t.Fatalf("%s: looking up changed the hashes", describe())
			}
		}
		writable()
	}
}
