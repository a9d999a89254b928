package buildtest

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
)

// raced says that the race detector makes everything take many times as long.
var raced = false

// emulated says that an emulator does, and that what the kernel says of the
// process is about the emulator.
var emulated = os.Getenv("SIMDBLOOM_TEST_EXEC") != ""

// pureGo says that there are no kernels to test.
var pureGo = false

// lowered says that the process was started at a lower level than the machine's, of
// which it has fewer than when it was not.
var lowered = os.Getenv(cpu.Variable) != "" || strings.Contains(os.Getenv("GODEBUG"), "cpu.")

// slow says that time is short, or better spent on the whole machine: a run without
// any of this goes through all levels, with large filters.
func slow() bool {
	return raced || emulated || pureGo || lowered || strconv.IntSize == 32 || testing.Short()
}

// unlessSlow returns the first number, or the second where time is short.
func unlessSlow(n, fewer int) int {
	if slow() {
		return min(n, fewer)
	}
	return n
}

// partitionFrom is the size from which on filters are built in parts where time is
// short.
const partitionFrom = 64 << 10

// setting is what no byte may depend on.
type setting struct {
	level       cpu.Level
	concurrency int
}

func (s setting) String() string {
	return fmt.Sprintf("%v with concurrency %d", s.level, s.concurrency)
}

// limit puts the process at the setting's level until restore is called.
func (s setting) limit() (restore func()) { return cpu.Limit(s.level) }

var concurrencies = []int{1, 2, 3, 8}

// levels returns those that this process may run at: the machine's, or the one
// that SIMDBLOOM_CPU leaves it, and all below.
func levels() []cpu.Level {
	return slices.DeleteFunc([]cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON}, func(l cpu.Level) bool {
		return !cpu.Current().Includes(l)
	})
}

// settings returns each level with each number of goroutines.
func settings() []setting {
	var all []setting
	for _, level := range levels() {
		for _, concurrency := range concurrencies {
			all = append(all, setting{level, concurrency})
		}
	}
	return all
}

// someSettings returns, of all settings, as many as there are levels or numbers of
// goroutines, whichever are more: each of both is among them. Another turn has
// other pairs.
func someSettings(turn int) []setting {
	levels := levels()
	some := make([]setting, max(len(levels), len(concurrencies)))
	for i := range some {
		some[i] = setting{levels[(i+turn)%len(levels)], concurrencies[i%len(concurrencies)]}
	}
	return some
}

// fewSettings returns the same, or one of them where time is short.
func fewSettings(turn int) []setting {
	if slow() {
		return []setting{oneSetting(turn)}
	}
	return someSettings(turn)
}

// oneSetting returns another one of all settings with every turn.
func oneSetting(turn int) setting {
	all := settings()
	// A step that has no divisor in common with their number reaches each, and
	// changes both the level and the number of goroutines.
	return all[turn*5%len(all)]
}

// enoughProcs lets as many goroutines run as a builder of the tests may want. It
// takes no more than GOMAXPROCS.
func enoughProcs(t testing.TB) {
	t.Helper()
	before := runtime.GOMAXPROCS(max(slices.Max(concurrencies), runtime.GOMAXPROCS(0)))
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}
