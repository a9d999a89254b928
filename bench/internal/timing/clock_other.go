//go:build !windows

package timing

import "time"

var start = time.Now()

// Now returns the time that has passed since some fixed moment.
func Now() time.Duration { return time.Since(start) }
