//go:build !purego

package asm_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
)

// eachDistance runs f with no lines prefetched, and with them as far ahead as they
// ever are.
func eachDistance(t *testing.T, f func(t *testing.T)) {
	for name, from := range map[string][2]int{
		"near": {math.MaxInt, math.MaxInt}, "in a cache": {0, math.MaxInt}, "in memory": {0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			defer asm.SetFar(from[0], from[1])()
			f(t)
		})
	}
}
