// Package measured has what programs in the folder bench and in its modules do alike: the files of their results, the
// pages that are made of them, medians, and the machine.
package measured

import "slices"

// Median returns the middle of one or more values, the mean of the middle two if
// their number is even. It leaves their order alone.
func Median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
