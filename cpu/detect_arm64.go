//go:build !purego

package cpu

import "golang.org/x/sys/cpu"

// detect reports NEON, which every arm64 has, unless GODEBUG disables it. (cpuid would
// miss it on Windows and the BSDs.)
func detect() Level {
	if !cpu.ARM64.HasASIMD {
		return Generic
	}
	return NEON
}
