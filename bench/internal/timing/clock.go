package timing

import "time"

// Since returns how long ago Now returned a moment. What took less than a step of the clock counts as a
// nanosecond, so that rates are finite.
func Since(moment time.Duration) time.Duration { return max(Now()-moment, time.Nanosecond) }
