//go:build unix

package timing

import (
	"time"

	"golang.org/x/sys/unix"
)

// used returns the processor time of the process so far, or 0 if the system does not say.
func used() time.Duration {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
