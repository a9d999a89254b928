//go:build !purego

package cpu

import (
	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"
)

// detect requires that both packages report a feature: cpuid knows more processors, and
// x/sys obeys GODEBUG.
func detect() Level {
	has, x86 := cpuid.CPU, &cpu.X86
	if !has.Supports(cpuid.AVX2, cpuid.BMI2, cpuid.CLMUL, cpuid.POPCNT) || !x86.HasAVX2 || !x86.HasBMI2 || !x86.HasPCLMULQDQ || !x86.HasPOPCNT {
		return Generic
	}
	if !has.Supports(
		cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL,
		cpuid.AVX512VBMI, cpuid.AVX512VBMI2, cpuid.AVX512VNNI, cpuid.AVX512BITALG, cpuid.GFNI,
	) {
		return AVX2
	}
	if !x86.HasAVX512F || !x86.HasAVX512BW || !x86.HasAVX512DQ || !x86.HasAVX512VL ||
		!x86.HasAVX512VBMI || !x86.HasAVX512VBMI2 || !x86.HasAVX512VNNI || !x86.HasAVX512BITALG || !x86.HasAVX512GFNI {
		return AVX2
	}
	return AVX512
}
