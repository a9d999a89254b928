package machine

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Pin keeps the calling goroutine on one CPU until release is called: the
// highest-numbered one that the process may use, since the lowest serves most
// interrupts. Where it cannot, it only keeps the goroutine on its thread.
func Pin() (release func()) {
	runtime.LockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return runtime.UnlockOSThread
	}
	highest := 0
	for i := range 64 * len(before) {
		if before.IsSet(i) {
			highest = i
		}
	}
	one.Set(highest)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return runtime.UnlockOSThread
	}
	return func() {
		if unix.SchedSetaffinity(0, &before) == nil { // else the thread ends with its goroutine
			runtime.UnlockOSThread()
		}
	}
}
