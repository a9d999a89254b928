package building

import (
	"fmt"
	"math"
)

// Limit is the most bytes that a filter may have, trailer included, or the number that it must
// have. The zero Limit allows any number.
type Limit struct {
	bytes int
	set   bool
	exact bool
}

// AtMost returns the Limit of n bytes and fewer.
func AtMost(n int) Limit { return Limit{bytes: n, set: true} }

// Exactly returns the Limit of n bytes.
func Exactly(n int) Limit { return Limit{bytes: n, set: true, exact: true} }

// Exact reports whether filters have exactly the limit's number of bytes.
func (l Limit) Exact() bool { return l.exact }

// Within returns the smaller one of the number of bytes and the limit.
func (l Limit) Within(bytes int) int {
	if l.set {
		return min(l.bytes, bytes)
	}
	return bytes
}

// Check returns an error for a limit below the smallest filter's size.
func (l Limit) Check(least int) error {
	if l.set && l.bytes < least {
		return fmt.Errorf("%s must be at least %d, the size of the smallest filter, not %d", l.name(), least, l.bytes)
	}
	return nil
}

func (l Limit) name() string {
	if l.exact {
		return "WithSizeBytes"
	}
	return "WithMaxBytes"
}

// CheckUnits returns an error for an exact size, which Check allowed, that is not a number of whole units, up
// to the format's largest body, and the trailer. The error has the nearest sizes.
func (l Limit) CheckUnits(unitBytes, mostBytes uint64, trailerBytes int) error {
	if !l.exact {
		return nil
	}
	body, more, most := uint64(l.bytes-trailerBytes), uint64(trailerBytes), mostBytes/unitBytes*unitBytes
	below := body/unitBytes*unitBytes + more
	switch {
	case body > most:
		return fmt.Errorf("%s must be at most %d, not %d", l.name(), most+more, l.bytes)
	case body%unitBytes != 0:
		multiple := fmt.Sprintf("a multiple of %d", unitBytes)
		if more > 0 {
			multiple = fmt.Sprintf("%d more than %s", more, multiple)
		}
		return fmt.Errorf("%s must be %s, such as %d and %d, not %d", l.name(), multiple, below, below+unitBytes, l.bytes)
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
