package asm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/testmem"
)

// TestNothingBesideIsTouched looks up in bodies of a few blocks, at each of 64
// places behind an unreadable page and before one. The body cannot be written to.
// Hashes and answers are right beside such pages, too.
func TestNothingBesideIsTouched(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		hashRoom := testmem.Words(testmem.Between(t, 8*longestTail))
		hits := testmem.Words(testmem.Between(t, 8*asm.Words(longestTail)))
		for _, blocks := range []int{1, 2, 3} {
			room := testmem.Between(t, blocks*asm.BlockBytes+asm.BlockBytes)
			for k := 1; k <= asm.MaxProbes; k++ {
				testBesideGuards(t, k, room, blocks, hashRoom, hits)
			}
		}
	})
}

func testBesideGuards(t *testing.T, k int, room []byte, blocks int, hashRoom, hits []uint64) {
	kernel := fastLocal(k)
	hashes := hashesFor(uint64(blocks))
	contents := balancedBody(rand.New(rand.NewPCG(uint64(k), 82)), k, blocks*asm.BlockBytes)
	want := kernel.answers(contents, hashes)

	// Every batch length meets every combination of ends, and every place of the
	// body some batch lengths.
	const places = 2 * asm.BlockBytes
	last := len(room) - len(contents)
	for place := range places {
		at := place
		if place >= asm.BlockBytes {
			at = last - (place - asm.BlockBytes)
		}
		describe := func() string { return fmt.Sprintf("k=%d, %d blocks, place %d of 0 to %d", k, blocks, at, last) }
		body := room[at : at+len(contents) : at+len(contents)]
		copy(body, contents)
		writable := testmem.ReadOnly(t, room)
		kernel.checkSingles(t, body, hashes, want, describe)
		for turn := place; turn < 4*(longestTail+1); turn += places {
			n, ends := turn/4, turn+k+blocks
			asked, from := hashRoom[:n], 0
			if ends&1 != 0 {
				asked = hashRoom[len(hashRoom)-n:]
			}
			if ends&2 != 0 {
				from = len(hits) - asm.Words(n)
			}
			copy(asked, hashes)
			kernel.checkBatch(t, hits, from, body, asked, want, describe)
			if !slices.Equal(asked, hashes[:n]) {
				t.Fatalf("%s: looking up changed the hashes", describe())
			}
		}
		writable()
	}
}
