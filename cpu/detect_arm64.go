//go:build !purego

package cpu

import "golang.org/x/sys/cpu"

// detect need not ask for NEON, which every arm64 has; it asks whether GODEBUG
// has switched it off. (cpuid would miss it on Windows and the BSDs.)
func detect() Level {
	if !cpu.ARM64.HasASIMD {
		return Generic
	}
	return NEON
}
