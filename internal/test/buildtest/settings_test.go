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
	"github.com/simdbloom/simdbloom/internal/test/program"
)

// emulated says that an emulator does, and that the kernel's figures of the process are the
// emulator's.
var emulated = os.Getenv("SIMDBLOOM_TEST_EXEC") != ""

// pureGo says that there are no kernels to test.
var pureGo = false

// lowered says that the process was started at a lower level than the machine's, so that it
// can run fewer levels.
var lowered = os.Getenv(cpu.Variable) != "" || strings.Contains(os.Getenv("GODEBUG"), "cpu.")

// slow says that time is short, or that another run does more: one without any of these
// tests all levels, with large filters.
func slow() bool {
	return program.Raced || emulated || pureGo || lowered || strconv.IntSize == 32 || testing.Short()
}

// unlessSlow returns the first number, or the second where time is short.
func unlessSlow(n, fewer int) int {
	if slow() {
		return min(n, fewer)
	}
	return n
}

// listsFrom is the size from which filters of kinds inParts are built in parts, and all where time is short.
const listsFrom = 64 << 10

// setting is the level and the number of goroutines, on which no byte may depend.
type setting struct {
	level       cpu.Level
	concurrency int
}

func (s setting) String() string {
	return fmt.Sprintf("%v with concurrency %d", s.level, s.concurrency)
}

// limit sets the process's level to the setting's, until restore is called.
func (s setting) limit() (restore func()) { return cpu.Limit(s.level) }

var concurrencies = []int{1, 2, 3, 8}

// levels returns the levels that this process may run at: the machine's, or the one that
// SIMDBLOOM_CPU sets, and all below.
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

// someSettings returns few settings in which each level and each number of goroutines
// appears. Another turn has other pairs.
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
	// A step coprime to their number reaches each, and changes both the level and the
	// number of goroutines.
	return all[turn*5%len(all)]
}

// enoughProcs raises GOMAXPROCS to the most goroutines that a builder of the tests uses.
func enoughProcs(t testing.TB) {
	t.Helper()
	before := runtime.GOMAXPROCS(max(slices.Max(concurrencies), runtime.GOMAXPROCS(0)))
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}
