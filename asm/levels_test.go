package asm_test

import (
	"os"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
)

// slow says that an emulator or the race detector makes everything take many
// times as long, and finds nothing more in the hundredth place of a body.
var slow = os.Getenv("SIMDBLOOM_TEST_EXEC") != ""

// sampled says that some lengths and places are enough, because it is slow here and all of
// them are gone through elsewhere. NEON's are nowhere else.
var sampled bool

// eachLevel runs f at every level that this process may run at: the machine's,
// or the one that SIMDBLOOM_CPU leaves it, and all below. Plain Go beside kernels is
// gone through as if everything were slow, and where everything is, not at all: with
// SIMDBLOOM_CPU=generic, and with purego, it is all there is.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	top, before := cpu.Current(), slow
	defer func() { slow, sampled = before, false }()
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON} {
		beside := level == cpu.Generic && top != cpu.Generic
		if !top.Includes(level) || beside && before {
			continue
		}
		slow = before || beside
		sampled = slow && level != cpu.NEON
		t.Run(level.String(), func(t *testing.T) {
			defer cpu.Limit(level)()
			if cpu.Current() != level || asm.Level() != level && asm.Level() != cpu.Generic {
				t.Fatalf("limited to %v, the level is %v, the kernels' %v", level, cpu.Current(), asm.Level())
			}
			f(t)
		})
	}
}
