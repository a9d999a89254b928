//go:build !purego

package cpu

import "golang.org/x/sys/cpu"

// detect reads what the processor has, the operating system saves, and GODEBUG leaves.
func detect() Level {
	switch x86 := &cpu.X86; {
	case !x86.HasAVX2 || !x86.HasBMI1 || !x86.HasBMI2 || !x86.HasPCLMULQDQ || !x86.HasPOPCNT:
		return Generic
	case !x86.HasAVX512F || !x86.HasAVX512BW || !x86.HasAVX512DQ || !x86.HasAVX512VL ||
		!x86.HasAVX512VBMI || !x86.HasAVX512VBMI2 || !x86.HasAVX512VNNI || !x86.HasAVX512BITALG || !x86.HasAVX512GFNI:
		return AVX2
	}
	return AVX512
}
