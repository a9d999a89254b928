package main

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// results is the content of bench/linear.json.
type results struct {
	Parts map[string]*part `json:"parts"`
}

// part is a part that is measured at once.
type part struct {
	Machine measured.Machine `json:"machine"`
	Date    string           `json:"date"`
	Rounds  int              `json:"rounds"`
	Lookups []*lookups       `json:"lookups,omitempty"`
	Keys    []*ofKeys        `json:"keys,omitempty"`
}

// lookups are the times of lookups in a filter, in ns a hash, by how they are done.
type lookups struct {
	Filter string           `json:"filter"`
	Keys   int              `json:"keys"`
	Ways   map[string]times `json:"ways"`
	Half   map[string]times `json:"half_present"`
}

// ofKeys are the times of filters with some number of keys, in ns a key, and of planning, in ns a filter.
type ofKeys struct {
	Filter string `json:"filter"`
	Keys   int    `json:"keys"`
	Plan   times  `json:"plan,omitempty"`
	Build  times  `json:"build,omitempty"`
	One    times  `json:"one"`
	Batch  times  `json:"batch,omitempty"`
}

// times are those of all rounds.
type times []float64

// least is shown on the pages: other programs on the machine make rounds longer, and none shorter.
func (t times) least() float64 { return slices.Min(t) }

// MarshalJSON writes three decimals.
func (t times) MarshalJSON() ([]byte, error) {
	rounded := make([]float64, len(t))
	for i, ns := range t {
		rounded[i] = math.Round(1000*ns) / 1000
	}
	return json.Marshal(rounded)
}

func (t times) String() string {
	switch {
	case len(t) == 0:
		return "–"
	case t.least() >= 9.95:
		return fmt.Sprintf("%.0f", t.least())
	default:
		return fmt.Sprintf("%.1f", t.least())
	}
}
