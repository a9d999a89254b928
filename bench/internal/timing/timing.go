// Package timing has the arithmetic of timed rounds.
package timing

import "slices"

// PerKey returns the time of f in nanoseconds, divided by the given number of keys.
func PerKey(keys int, f func()) float64 {
	var watch Stopwatch
	watch.Time(f)
	return watch.PerKey(uint64(keys))
}

// Median returns the middle of one or more values, the mean of the middle two if
// their number is even. It leaves their order alone.
func Median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
