//go:build !purego

package asm

import (
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestNoFormAboveItsLevel protects machines that have less than this one: there, a form
// above the level is an illegal instruction.
func TestNoFormAboveItsLevel(t *testing.T) {
	if f := (Kernel{}); f.form != formGeneric || f.fewMax != 0 || f.row != nil || f.adder != nil || f.entry != 0 {
		t.Error("the zero Kernel has kernels")
	}
	level := func(f form) cpu.Level {
		switch {
		case f >= form512:
			return cpu.AVX512
		case f >= form256:
			return cpu.AVX2
		default:
			return cpu.Generic
		}
	}
	for _, top := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512} {
		restore := cpu.Limit(top)
		current := cpu.Current()
		for probes := 1; probes <= MaxProbes; probes++ {
			f := NewFastLocal(make([]byte, BlockBytes), probes)
			if level(f.form) != current {
				t.Errorf("%v, k=%d: form %d", current, probes, f.form)
			}
			f.EnableAdd()
			if f.adder != &fastLocalAdders[adderOf(current, probes)] || (f.fewMax != 0) != (f.form == form512) {
				t.Errorf("%v, k=%d: form %d adds: %v, %d few at most", current, probes, f.form, f.adder, f.fewMax)
			}
			if (f.wide(0) || f.wide(ahead)) && current != cpu.AVX512 {
				t.Errorf("%v, k=%d: form %d in AVX-512", current, probes, f.form)
			}
			testFormOfLegacy(t, probes, level)
			for _, batch := range []int{32, 128} {
				if probes < 2 {
					continue
				}
				if f := NewPaired(make([]byte, batch*BlockBytes), batch, probes); level(f.form) != current || f.fewMax != 0 {
					t.Errorf("%v, batches of %d, k=%d: form %d", current, batch, probes, f.form)
				}
			}
		}
		layers, _ := fallback.NewLinearLayers([][2]uint32{{0, 1}}, 0, 9)
		if f := NewLinear(make([]byte, linearLineBytes), layers); level(f.form) != current || (f.fewMax != 0) != (current == cpu.AVX512) {
			t.Errorf("linear, %v: form %d, %d few at most", current, f.form, f.fewMax)
		}
		restore()
	}
}

// adderOf returns the number of the functions that add keys to a near body.
func adderOf(level cpu.Level, probes int) int {
	switch {
	case level == cpu.Generic:
		return 0
	case level == cpu.AVX512 && probes <= 6:
		return 3
	case level == cpu.AVX512 && probes <= 8:
		return 4
	case probes == 6:
		return 2
	default:
		return 1
	}
}

// TestFarAddersOfProcessors: every kernel is tested in near bodies, so it is enough that a processor has one of them.
func TestFarAddersOfProcessors(t *testing.T) {
	if cpu.Current() != cpu.AVX512 {
		t.Skip("kernels of AVX2 add to all bodies")
	}
	defer func(far int, atOnce bool) { farFrom, addsFarAtOnce = far, atOnce }(farFrom, addsFarAtOnce)
	farFrom = 0
	for _, addsFarAtOnce = range []bool{false, true} {
		for probes := 1; probes <= MaxProbes; probes++ {
			level := cpu.AVX2
			if addsFarAtOnce {
				level = cpu.AVX512
			}
			f := NewFastLocal(make([]byte, BlockBytes), probes)
			if f.EnableAdd(); f.adder != &fastLocalAdders[adderOf(level, probes)] {
				t.Errorf("at once: %v, k=%d: adds by %v", addsFarAtOnce, probes, f.adder)
			}
		}
	}
}

// TestNoFormBeyondKernels: kernels count the bytes of a body in 32 bits.
func TestNoFormBeyondKernels(t *testing.T) {
	body := testmem.Sparse(t, MaxBodyBytes+BlockBytes)
	if body == nil {
		t.Skip("this machine has no slices of 4 GiB")
	}
	if f := NewLegacy(body, uint32(len(body)/BlockBytes), 6); f.form != formGeneric {
		t.Errorf("legacy, %d bytes: form %d", len(body), f.form)
	}
}

// testFormOfLegacy: legacy filters have kernels in AVX-512 for up to 16 probes.
func testFormOfLegacy(t *testing.T, probes int, level func(f form) cpu.Level) {
	t.Helper()
	want := cpu.Current()
	if want == cpu.AVX512 && probes > 16 {
		want = cpu.AVX2
	}
	f := NewLegacy(make([]byte, BlockBytes), 1, probes)
	if level(f.form) != want || f.fewMax != 0 {
		t.Errorf("legacy, %v, k=%d: form %d, %d few at most", cpu.Current(), probes, f.form, f.fewMax)
	}
	if (f.wide(0) || f.wide(ahead)) && want != cpu.AVX512 {
		t.Errorf("legacy, %v, k=%d: form %d in AVX-512", cpu.Current(), probes, f.form)
	}
	for size, filter := range map[int]Kernel{
		1:              NewLegacy(make([]byte, BlockBytes), BlockBytes, probes),
		2 * BlockBytes: NewLegacy(make([]byte, 2*BlockBytes), 1, probes),
	} {
		if filter.form != formGeneric {
			t.Errorf("legacy, lines of %d bytes: form %d", size, filter.form)
		}
	}
}
