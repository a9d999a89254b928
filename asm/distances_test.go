//go:build (amd64 || arm64) && !purego

package asm_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
)

// eachDistance runs f with all bodies near, far, and in memory, and with the kernels for
// a few keys as either vendor's processors take them. Pure Go makes no difference.
func eachDistance(t *testing.T, f func(t *testing.T)) {
	if asm.Level() == cpu.Generic {
		f(t)
		return
	}
	for name, d := range map[string]struct{ far, inMemory, fewMax int }{
		"near": {math.MaxInt, math.MaxInt, 64}, "far": {0, math.MaxInt, 15}, "memory": {0, 0, 64},
	} {
		t.Run(name, func(t *testing.T) {
			defer asm.SetDistances(d.far, d.inMemory, d.fewMax)()
			f(t)
		})
	}
}
