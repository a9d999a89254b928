//go:build !purego

package asm

import (
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
)

// TestNoFormAboveItsLevel is for machines that have less than this one: there, a
// form above the level is an illegal instruction.
func TestNoFormAboveItsLevel(t *testing.T) {
	if f := (FastLocal{}); f.form != formGeneric || f.fewSizes != 0 {
		t.Error("the zero FastLocal has kernels")
	}
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512} {
		restore := cpu.Limit(level)
		for probes := 1; probes <= MaxProbes; probes++ {
			f := NewFastLocal(make([]byte, BlockBytes), probes)
			is512 := f.form >= form512
			is256 := f.form >= form256 && !is512
			if is512 != (cpu.Current() == cpu.AVX512) || is256 != (cpu.Current() == cpu.AVX2) {
				t.Errorf("%v, k=%d: form %d", cpu.Current(), probes, f.form)
			}
			if (f.near != nil) != (f.form == form512) || (f.fewSizes != 0) != (f.form == form512) {
				t.Errorf("%v, k=%d: form %d with %d bytes nearby, %d few sizes", cpu.Current(), probes, f.form, len(f.near), f.fewSizes)
			}
			if (f.wide(0) || f.wide(ahead)) && !is512 {
				t.Errorf("%v, k=%d: form %d in AVX-512", cpu.Current(), probes, f.form)
			}
		}
		restore()
	}
}
