package main

import (
	"fmt"
	"slices"

	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// times has the figures of every timed row, whether it is queried or built.
type times struct {
	Name        string    `json:"name"`
	Bytes       int       `json:"bytes,omitempty"`
	BitsPerKey  float64   `json:"bits_per_key,omitempty"` // that its bytes are
	MedianNS    float64   `json:"median_ns_per_key"`
	MinNS       float64   `json:"min_ns_per_key"`
	MaxNS       float64   `json:"max_ns_per_key"`
	ToReference float64   `json:"ratio_to_reference"`
	NS          []float64 `json:"ns_per_key_by_round"`

	chosen
	*row
	entrant *entrant
}

// size is the cells for the bytes, the bits per key, and what the filter has for them.
func (t *times) size() string { return fmt.Sprintf("%d\t%.2f\t%s", t.Bytes, t.BitsPerKey, t.chosen) }

func (t *times) isReference() bool { return t.entrant.name() == reference }

// isReferenceOf reports whether this is the row that an entrant is compared with.
func (t *times) isReferenceOf(e *entrant) bool { return t.entrant.name() == e.comparedWith() }

// summarize fills in what follows from the rounds, and from those of the reference.
func (t *times) summarize(reference []float64) {
	t.MedianNS, t.MinNS, t.MaxNS = timing.Median(t.NS), slices.Min(t.NS), slices.Max(t.NS)
	t.ToReference = medianRatio(t.NS, reference)
}

// medianRatio is the median over the rounds of how many times a is b.
func medianRatio(a, b []float64) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
	}
	return timing.Median(ratios)
}
