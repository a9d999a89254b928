package asm_test

import (
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/hashing"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestLegacyKeys has keys of every length and any bytes, right beside unreadable pages. The
// kernel hashes them as internal/hashing does.
func TestLegacyKeys(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 97))
		memory := testmem.Between(t, 300)
		for k := 1; k <= asm.MaxProbes; k++ {
			lines := uint32(1 + r.IntN(50))
			data := legacyData(r, int(lines)*asm.BlockBytes, byte(k), lines)
			f, _ := asm.UsualLegacy(data)
			found := 0
			for length := range 300 {
				for _, key := range [][]byte{memory[:length:length], memory[len(memory)-length:]} {
					for i := range key {
						key[i] = byte(r.Uint32() | uint32(k)%2<<7) // half of the filters with signed bytes only
					}
					want := asm.LegacyMayContain(data, uint64(hashing.Signed32(key)), nil)
					if f.ContainsKey(key) != want {
						t.Fatalf("k=%d, %d lines, key %x: not %v", k, lines, key, want)
					}
					if want {
						found++
					}
				}
			}
			if found == 0 || found == 600 {
				t.Errorf("k=%d: %d of 600 keys were found", k, found)
			}
		}
	})
}
