package main

import (
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
)

// headline is a few settings with many queries each.
type headline struct {
	remark  string
	keys    int
	queries float64
	rows    []*experiment
}

type setting struct {
	kind       *kind
	bitsPerKey []float64
}

// newLarge is large filters at usual settings.
func newLarge(s scope, p plan) *headline {
	h := &headline{keys: s.largeKeys, queries: s.largeQueries}
	h.measure(p,
		setting{fastLocal, []float64{10, 16, 20, 23.4, 28}},
		setting{paired128, []float64{10, 16, 20, 23.4}},
		setting{paired32, []float64{10, 16, 20, 23.4}},
	)
	return h
}

// newRare is what many bits per key end in.
func newRare(s scope, p plan) *headline {
	h := &headline{
		remark: `
Bloom filters take a key's positions in a line from 32 bits of its hash. So a key with the same 32 bits as one that was
added to the line, or with some that make most of its probes the same, is a false positive, however many bits per key there
are. PredictedFPR and EstimatedFPR count that in. At 100 bits per key, it still makes 2e-9 (FastLocal) and 3e-9 (Paired).
`,
		keys: s.rareKeys, queries: s.rareQueries,
	}
	h.measure(p, setting{fastLocal, []float64{40, 50, 60}}, setting{paired128, []float64{30, 40}}, setting{paired32, []float64{40}})
	return h
}

func (h *headline) measure(p plan, settings ...setting) {
	for _, setting := range settings {
		for _, b := range setting.bitsPerKey {
			h.rows = append(h.rows, p.measure(setting.kind, h.keys, b, math.MaxInt32, h.queries))
		}
	}
}

// eachRow says what the rows of a table are made of.
func eachRow(keys int, queries float64) string {
	return fmt.Sprintf("%s keys, %s queries for each row.", markdown.Thousands(keys), markdown.Thousands(int64(queries)))
}

func (h *headline) write(w io.Writer) {
	fmt.Fprintf(w, "%s\n%s\n", eachRow(h.keys, h.queries), h.remark)
	t := markdown.New(append([]string{"filter", "bits/key"}, countedHeadings...)...)
	for _, e := range h.rows {
		t.Add(append([]string{e.name, fmt.Sprint(e.bitsPerKey)}, e.countedCells()...)...)
	}
	t.Write(w)
	fmt.Fprintln(w)
}
