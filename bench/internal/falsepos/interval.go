// Package falsepos has the statistics of counting false positives.
package falsepos

import "math"

// Interval returns the 95 % confidence interval of a rate, given the numbers of hits and
// tries (Wilson's score interval).
func Interval(hits, tries int) (low, high float64) {
	const z = 1.959963984540054
	n := float64(tries)
	p := float64(hits) / n
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return math.Max(0, middle-half), math.Min(1, middle+half)
}
