package asm_test

import (
	"os"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
)

// slow says that an emulator or the race detector makes everything take many times as long, or
// that time is short: fewer places of a body are enough then.
var slow = os.Getenv("SIMDBLOOM_TEST_EXEC") != ""

// sampled says that some lengths and places are enough, because it is slow here and other
// machines test all of them. NEON is tested nowhere else.
var sampled bool

// eachLevelAndDistance runs f in all settings of both.
func eachLevelAndDistance(t *testing.T, f func(t *testing.T)) {
	eachLevel(t, func(t *testing.T) { eachDistance(t, f) })
}

// eachLevel runs f at every level that this process may run at: the machine's, or the one
// that SIMDBLOOM_CPU sets, and all below. Beside kernels, pure Go is tested as if it were
// slow, and not at all where everything is: SIMDBLOOM_CPU=generic and purego test it alone.
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
