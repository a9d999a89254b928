// Package measured has what programs in the folder bench and in its modules do alike: the files of their results, the
// pages that are made of them, medians, and the name of the processor.
package measured

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/simdbloom/simdbloom/cpu"
)

// Median returns the middle of one or more values, the mean of the middle two if
// their number is even. It leaves their order alone.
func Median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Processor is a processor's name, with its family and model if they are known.
func Processor(name string, family, model int) string {
	if family == 0 {
		return name
	}
	return fmt.Sprintf("%s (family %d, model %d)", name, family, model)
}

// Machine returns the processor, its level and Go's version.
func Machine() string {
	family, model := cpu.Family()
	return fmt.Sprintf("%s, level %s, %s", Processor(cpu.Model(), family, model), cpu.Machine(), runtime.Version())
}
