package timing

import (
	"math/bits"
	"syscall"
	"time"
	"unsafe"
)

// The clock of package time has steps of 0.5 to 16 ms on Windows, that of package testing has these.
var (
	kernel32  = syscall.NewLazyDLL("kernel32.dll")
	steps     = kernel32.NewProc("QueryPerformanceCounter")
	perSecond = read(kernel32.NewProc("QueryPerformanceFrequency"))
)

// Now returns the time that has passed since some fixed moment.
func Now() time.Duration {
	high, low := bits.Mul64(read(steps), uint64(time.Second))
	passed, _ := bits.Div64(high, low, perSecond)
	return time.Duration(passed)
}

func read(counter *syscall.LazyProc) (n uint64) {
	_, _, _ = counter.Call(uintptr(unsafe.Pointer(&n))) // it does not fail
	return n
}
