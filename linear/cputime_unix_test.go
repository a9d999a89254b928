//go:build unix

package linear_test

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the time for which this process has had a processor: other processes do not add to it.
func cpuTime() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
