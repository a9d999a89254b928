package machine

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/simdbloom/simdbloom/cpu"
)

func TestPinKeepsToOneCPUUntilReleased(t *testing.T) {
	runtime.LockOSThread() // to look at one thread
	defer runtime.UnlockOSThread()
	cpus := func() unix.CPUSet {
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(0, &set); err != nil {
			t.Fatal(err)
		}
		return set
	}
	before := cpus()
	first := make(map[unix.CPUSet]bool)
	for i := range 3 * before.Count() {
		release := PinTo(i)
		pinned := cpus()
		if pinned.Count() != 1 {
			t.Errorf("pinned to %d CPUs", pinned.Count())
		}
		if round := i / before.Count(); (round > 0) != first[pinned] {
			t.Errorf("round %d: a CPU of another round", round)
		}
		first[pinned] = true
		release()
		if cpus() != before {
			t.Error("still pinned")
		}
	}
	defer Pin()()
	if highest := cpus(); highest.Count() != 1 {
		t.Errorf("Pin kept %d CPUs", highest.Count())
	}
}

func TestModelIsWhatTheSystemSays(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(info), "model name\t: ")
	name, _, _ := strings.Cut(rest, "\n")
	if model := cpu.Model(); model != "" && found && model != strings.TrimSpace(name) {
		t.Errorf("%q, /proc/cpuinfo has %q", model, name)
	}
}
