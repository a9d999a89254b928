package formats

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
)

// Adder has the functions of a format whose filters accept keys.
type Adder struct {
	Layout    *building.Layout
	NewKernel func(body []byte, probes int, shared bool) asm.Kernel
	Millibits func(probes int) int // that count for bytes that do not have the bits per key that they were made with

	PredictedFPR  func(body uint64, probes int, keys uint64) float64
	EstimatedKeys func(set, body uint64, probes int) float64
}

// Body returns the body of a filter's bytes, which has the given size.
func (a *Adder) Body(data []byte, size int) []byte {
	return data[a.Layout.HeaderBytes:][:size:size]
}

// Frame writes the header or the trailer into the bytes of a filter.
func (a *Adder) Frame(data []byte, probes int) {
	if a.Layout.Frame != nil {
		a.Layout.Frame(data, 1, probes)
	}
}

// AdderOf returns an error for formats that keys cannot be added to.
func AdderOf(format asm.Format) (*Adder, error) {
	if int(format) < len(adders) && adders[format] != nil {
		return adders[format], nil
	}
	var names []string
	for f, a := range adders {
		if a != nil {
			names = append(names, rows[f].Name)
		}
	}
	return nil, fmt.Errorf("keys can be added to %s filters only, not to %s", strings.Join(names, ", "), NameOf(format))
}
