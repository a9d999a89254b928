//go:build !purego

package asm_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
)

// eachDistance runs f with no lines prefetched, and with all.
func eachDistance(t *testing.T, f func(t *testing.T)) {
	for name, from := range map[string]int{"near": math.MaxInt, "far": 0} {
		t.Run(name, func(t *testing.T) {
			defer asm.SetFar(from)()
			f(t)
		})
	}
}
