//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/cpu"

// formNEON is that of all filters: the kernels choose by the probes.
const formNEON = form512by32 + 1

func level() cpu.Level { return cpu.Current() }

func formOf(int) form {
	if cpu.Current() == cpu.NEON {
		return formNEON
	}
	return formGeneric
}
