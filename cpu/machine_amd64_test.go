//go:build !purego

package cpu

import (
	"strings"
	"testing"

	reference "github.com/klauspost/cpuid/v2"
)

// TestNumbersOfSignatures: of an Intel Emerald Rapids, a Zen 4 and a Zen 5.
func TestNumbersOfSignatures(t *testing.T) {
	for signature, want := range map[uint32][2]int{0xc06f2: {6, 207}, 0xa10f11: {25, 17}, 0xb00f21: {26, 2}} {
		if family, model := numbersOf(signature); [2]int{family, model} != want {
			t.Errorf("%#x: family %d, model %d, want %d", signature, family, model, want)
		}
	}
}

// TestMachineIsThatOfCPUID: package cpuid, which asks for everything, reports the same.
func TestMachineIsThatOfCPUID(t *testing.T) {
	want := &reference.CPU
	if l2, last := caches(); l2 != max(0, want.Cache.L2) || last != max(0, want.Cache.L3) {
		t.Errorf("caches of %d and %d bytes, want %d and %d", l2, last, want.Cache.L2, want.Cache.L3)
	}
	if isIntel() != (want.VendorID == reference.Intel) || model() != strings.TrimSpace(want.BrandName) {
		t.Errorf("Intel: %v, %q; want %v, %q", isIntel(), model(), want.VendorID, want.BrandName)
	}
	if family, model := Family(); family != want.Family || model != want.Model {
		t.Errorf("family %d, model %d; want %d, %d", family, model, want.Family, want.Model)
	}
	level := Generic
	if want.Supports(reference.AVX2, reference.BMI1, reference.BMI2, reference.CLMUL, reference.POPCNT) {
		level = AVX2
		if want.Supports(reference.AVX512F, reference.AVX512BW, reference.AVX512DQ, reference.AVX512VL, reference.AVX512VBMI, reference.AVX512VBMI2,
			reference.AVX512VNNI, reference.AVX512BITALG, reference.GFNI) {
			level = AVX512
		}
	}
	if got := machineWithoutGODEBUG(t); got != level {
		t.Errorf("level %v, want %v", got, level)
	}
}
