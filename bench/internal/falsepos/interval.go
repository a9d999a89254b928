// Package falsepos has the statistics of counting false positives.
package falsepos

import "math"

// Interval returns the range of rates that so many hits out of so many tries
// speak for, with 95 % confidence (Wilson's score interval).
func Interval(hits, tries int) (low, high float64) {
	const z = 1.959963984540054
	n := float64(tries)
	p := float64(hits) / n
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return math.Max(0, middle-half), math.Min(1, middle+half)
}
