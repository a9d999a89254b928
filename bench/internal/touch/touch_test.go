package touch

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// TestEveryLineIsLoaded gives every block a bit of its own.
func TestEveryLineIsLoaded(t *testing.T) {
	const blocks = 64
	body := make([]byte, blocks*asm.BlockBytes)
	for i := range blocks {
		binary.LittleEndian.PutUint64(body[i*asm.BlockBytes:], 1<<i)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 150 {
		hashes := make([]uint64, n)
		var want uint64
		for i := range hashes {
			hashes[i] = r.Uint64()
			want |= 1 << fallback.Block(hashes[i], blocks)
		}
		for hint := None; hint <= NTA; hint++ {
			for _, distance := range []int{8, 16, 32, 64, 128} {
				if got := Lines(body, hashes, hint, distance); got != want {
					t.Fatalf("%d hashes, %v %d: %#x, want %#x", n, hint, distance, got, want)
				}
			}
		}
	}
}

func TestNames(t *testing.T) {
	for hint, want := range map[Hint]string{None: "none", T0: "t0", T1: "t1", T2: "t2", NTA: "nta", 9: "touch.Hint(9)"} {
		if got := hint.String(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
