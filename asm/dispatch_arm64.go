//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/cpu"

func level() cpu.Level { return cpu.Current() }

func formOf(int) form {
	if cpu.Current() == cpu.NEON {
		return formNEON
	}
	return formGeneric
}
