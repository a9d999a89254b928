package building

import (
	"fmt"
	"math"
)

// Limit is the most bytes that a filter may have, trailer included. The zero Limit
// allows any number.
type Limit struct {
	bytes int
	set   bool
}

// AtMost returns the Limit of n bytes.
func AtMost(n int) Limit { return Limit{n, true} }

// Check returns an error for a limit below the smallest filter's size.
func (l Limit) Check(least int) error {
	if l.set && l.bytes < least {
		return fmt.Errorf("MaxBytes must be at least %d, the size of the smallest filter, not %d", least, l.bytes)
	}
	return nil
}

// Body returns the size of the largest body within a limit that Check allowed, in whole
// units and no larger than the format's largest. Without a limit no body is too large here:
// the format's own limit is an error elsewhere.
func (l Limit) Body(unitBytes, mostBytes uint64, trailerBytes int) uint64 {
	if !l.set {
		return math.MaxUint64
	}
	return min(uint64(l.bytes-trailerBytes), mostBytes) / unitBytes * unitBytes
}
