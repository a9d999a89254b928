//go:build !purego

package asm

import (
	"bytes"
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
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
			if f.adder != &fastLocalAdders[adderOf(current, probes, current == cpu.AVX512)] || (f.fewMax != 0) != (f.form == form512) {
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

// adderOf returns the number of the functions that add keys to a body.
func adderOf(level cpu.Level, probes int, atOnce bool) int {
	switch {
	case level == cpu.Generic:
		return 0
	case level == cpu.AVX512 && atOnce && probes <= 6:
		return 6
	case level == cpu.AVX512 && atOnce && probes <= 8:
		return 7
	case atOnce && probes <= 6:
		return 4
	case atOnce && probes <= 8:
		return 5
	case probes == 6:
		return 2
	case probes == 8:
		return 3
	default:
		return 1
	}
}

// TestFarAddersOfProcessors: bodies are far here, and kernels are those of any processor.
func TestFarAddersOfProcessors(t *testing.T) {
	defer func(far int, at512, at256 bool) { farFrom, addsFarAtOnce512, addsFarAtOnce256 = far, at512, at256 }(farFrom, addsFarAtOnce512, addsFarAtOnce256)
	farFrom = 0
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512} {
		restore := cpu.Limit(level)
		for _, atOnce := range []bool{false, true} {
			addsFarAtOnce512, addsFarAtOnce256 = atOnce, atOnce
			for probes := 1; probes <= MaxProbes; probes++ {
				body, want := make([]byte, 7*BlockBytes), make([]byte, 7*BlockBytes)
				f := NewFastLocal(body, probes)
				if f.EnableAdd(); f.adder != &fastLocalAdders[adderOf(cpu.Current(), probes, atOnce)] {
					t.Errorf("%v, at once: %v, k=%d: adds by %v", cpu.Current(), atOnce, probes, f.adder)
				}
				for i, hash := range vectors.Hashes(96, 100) {
					absent := !fallback.FastLocalContains(want, probes, hash)
					fallback.FastLocalAddKey(want, probes, hash)
					if i%2 == 0 {
						f.Add(hash)
					} else if f.AddIfAbsent(hash) != absent {
						t.Fatalf("%v, at once: %v, k=%d: hash %#x was absent: not %v", cpu.Current(), atOnce, probes, hash, absent)
					}
				}
				if !bytes.Equal(body, want) {
					t.Errorf("%v, at once: %v, k=%d: other bits", cpu.Current(), atOnce, probes)
				}
			}
		}
		restore()
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
