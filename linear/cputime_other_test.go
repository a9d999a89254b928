//go:build !unix

package linear_test

import "time"

var start = time.Now()

// cpuTime is the time since the process began: this system does not say more in a portable way.
func cpuTime() time.Duration { return time.Since(start) }
