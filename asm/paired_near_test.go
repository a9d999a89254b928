//go:build (amd64 || arm64) && !purego

package asm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestPairedNearAndFar looks one key up in filters and in bytes, of all numbers of probes, where both blocks are tested
// at once and where the own one is first.
func TestPairedNearAndFar(t *testing.T) {
	absent := vectors.Hashes(75, 200)
	eachLevel(t, func(t *testing.T) {
		for _, near := range []int{0, math.MaxInt} {
			t.Cleanup(asm.SetPairedNear(near))
			r := rand.New(rand.NewPCG(1, 92))
			for _, batch := range []int{32, 128} {
				for probes := 2; probes <= asm.MaxProbes; probes++ {
					k := kernels{batch: batch, probes: probes}
					body, added := k.balancedBody(r, 3*batch*asm.BlockBytes), vectors.Hashes(uint64(probes), 200)
					fallback.PairedAdd(body, batch, probes, added)
					data := append(append([]byte(nil), body...), 1, byte(probes), byte((batch-32)/96*7), 0)
					f, found := asm.NewPaired(body, batch, probes), 0
					for _, hashes := range [][]uint64{added, absent} {
						for _, hash := range hashes {
							want := fallback.PairedContains(body, batch, probes, hash)
							if got, ofBytes := f.Contains(hash), asm.PairedMayContain(data, hash); got != want || ofBytes != want {
								t.Fatalf("near up to %d, batches of %d, %d probes, hash %#x: %v, of bytes %v", near, batch, probes, hash, got, ofBytes)
							}
							if want {
								found++
							}
						}
					}
					if found < len(added) || found == len(added)+len(absent) {
						t.Fatalf("batches of %d, %d probes: found %d", batch, probes, found)
					}
				}
			}
		}
	})
}
