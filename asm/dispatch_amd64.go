//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func level() cpu.Level { return cpu.Current() }

func formOf(probes int) form {
	eights := form(probes-1) / 8
	switch cpu.Current() {
	case cpu.AVX512:
		return min(form512+eights, form512by32)
	case cpu.AVX2:
		return form256 + eights
	default:
		return formGeneric
	}
}

// fastLocalContainsGeneric is where assembly goes on when there is no kernel.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func fastLocalContainsGeneric(f *FastLocal, hash uint64) bool {
	return fallback.FastLocalContains(f.body, f.probes, hash)
}
