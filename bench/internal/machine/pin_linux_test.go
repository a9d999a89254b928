package machine

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

func TestPinKeepsToOneCPUUntilReleased(t *testing.T) {
	runtime.LockOSThread() // to look at one thread
	defer runtime.UnlockOSThread()
	cpus := func() (set unix.CPUSet) {
		if err := unix.SchedGetaffinity(0, &set); err != nil {
			t.Fatal(err)
		}
		return set
	}
	before := cpus()
	release := Pin()
	if pinned := cpus(); pinned.Count() != 1 {
		t.Errorf("pinned to %d CPUs", pinned.Count())
	}
	release()
	if cpus() != before {
		t.Error("still pinned")
	}
}
