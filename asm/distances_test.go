//go:build (amd64 || arm64) && !purego

package asm_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
)

// eachDistance runs f with all bodies in the caches nearby, in the last one, and
// in memory. Plain Go makes no difference.
func eachDistance(t *testing.T, f func(t *testing.T)) {
	if asm.Level() == cpu.Generic {
		f(t)
		return
	}
	for name, from := range map[string][2]int{
		"near": {math.MaxInt, math.MaxInt}, "far": {0, math.MaxInt}, "memory": {0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			defer asm.SetFar(from[0], from[1])()
			f(t)
		})
	}
}
