package asm_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

func TestRibbonMisusePanics(t *testing.T) {
	body, hashes := make([]byte, 64), make([]uint64, 65)
	f := asm.NewRibbon(body, 2, 0)
	for name, misuse := range map[string]func(){
		"no blocks":   func() { asm.NewRibbon(body, 0, 0) },
		"one block":   func() { asm.NewRibbon(body, 1, 0) },
		"2^24 blocks": func() { asm.NewRibbon(body, 1<<24, 0) },
		"short bools": func() { f.ContainsBools(hashes, make([]bool, 64)) },
		"short words": func() { f.ContainsBits(hashes, make([]uint64, 1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			misuse()
		}()
	}
}

func TestRibbonQueriesAgree(t *testing.T) {
	hashes := vectors.Hashes(5, 1500)
	var band asm.RibbonBand
	if !ribbonFilled(&band, 9, 3, hashes[:900], make([]asm.RibbonRange, 1)) {
		t.Fatal("the seed does not work")
	}
	body := make([]byte, 9*16*4-16)
	band.SolveColumns(body, 0, 4)
	f := asm.NewRibbon(body, 9, 3)
	bools, bits := make([]bool, len(hashes)), make([]uint64, 24)
	f.ContainsBools(hashes, bools)
	f.ContainsBits(hashes, bits)
	for i, hash := range hashes {
		want := f.Contains(hash)
		if bools[i] != want || bits[i/64]>>(i%64)&1 != 0 != want || i < 900 && !want {
			t.Fatalf("hash %d: the queries disagree, or it is missing", i)
		}
	}
}
