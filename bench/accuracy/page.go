package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"text/template"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// pageTemplate is the page without its tables and numbers, which are calls of results' methods.
//
//go:embed page.md.tmpl
var pageTemplate string

// page returns docs/accuracy.md.
func (r *results) page() ([]byte, error) {
	t, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = t.Execute(&text, r)
	return text.Bytes(), err
}

// Settings is how many settings were measured.
func (r *results) Settings() int { return len(r.all()) - len(r.Shards) - len(r.Exact) }

// Tolerance is by how much a format's PredictedFPR may be off.
func (*results) Tolerance(format string) string {
	return percent(formatOf(format).ofPredicted, "%.0f")
}

// EstimatedTolerance is by how much EstimatedFPR may be off.
func (*results) EstimatedTolerance(format string) string {
	return percent(formatOf(format).ofEstimated, "%.0f")
}

// RateTable has the predicted and measured rates of each format at the usual settings: of the most keys, and of fewer
// where hashes of 32 bits make the rate depend on them.
func (r *results) RateTable() string {
	t := markdown.New("filter", "bits/key", "keys", "stored", "predicted: 1 in", "measured: 1 in", "in σ")
	most := 0
	for _, s := range r.Rates {
		if s.Keys != drawnKeys {
			most = max(most, s.Keys)
		}
	}
	for _, f := range formats {
		hash32 := f.format == simdbloom.Legacy || f.format == simdbloom.LevelDB
		for _, b := range tableBits {
			for _, s := range r.Rates {
				if s.Format != f.name || s.BitsPerKey != b || s.Keys == drawnKeys || r.hasSmall(s) || s.Keys < most && !hash32 {
					continue
				}
				measured := "–"
				if s.FalsePositives >= 100 {
					measured = oneIn(s.measured())
				}
				t.Add(s.Format, fmt.Sprint(b), markdown.Thousands(s.Keys), fmt.Sprintf("%.2f", s.stored()), oneIn(s.Predicted), measured,
					fmt.Sprintf("%+.1f", s.off()))
			}
		}
	}
	return t.String()
}

// hasSmall reports whether SmallTable has the setting.
func (r *results) hasSmall(s *setting) bool {
	return slices.ContainsFunc(r.Small, func(small *setting) bool {
		return small.Format == s.Format && small.BitsPerKey == s.BitsPerKey && small.Keys == s.Keys
	})
}

// PromiseTable has the bits per key of each format at the same rates.
func (r *results) PromiseTable() string {
	t := markdown.New("rate")
	for _, s := range r.Promises {
		t.Put("1 in "+oneIn(s.Promised), s.Format, fmt.Sprintf("%.2f (1 in %s)", s.stored(), oneIn(s.measured())))
	}
	return t.String()
}

// SmallTable has the rates of filters of few keys.
func (r *results) SmallTable() string {
	t := markdown.New("bits/key, keys")
	for _, s := range r.Small {
		cell := fmt.Sprintf("%.1f: 1 in %s", s.stored(), oneIn(s.Estimated))
		if s.Scatter >= 0.005 && s.Estimated*float64(s.Keys) > 1e-4 {
			cell += fmt.Sprintf(" ±%s", percent(s.Scatter, "%.0f"))
		}
		t.Put(fmt.Sprintf("%v, %s", s.BitsPerKey, markdown.Thousands(s.Keys)), s.Format, cell)
	}
	return t.String()
}

// ExactTable has the predicted and measured rates of linear filters, by very many queries.
func (r *results) ExactTable() string {
	t := markdown.New("bits/key", "R, j", "predicted: 1 in", "false positives expected", "counted", "in σ")
	for _, s := range r.Exact {
		expected := s.Predicted * float64(s.Queries)
		t.Add(fmt.Sprint(s.BitsPerKey), fmt.Sprintf("%d, %d", s.Bits, s.Longer), oneIn(s.Predicted),
			markdown.Thousands(int64(math.Round(expected))), markdown.Thousands(s.FalsePositives), fmt.Sprintf("%+.1f", s.off()))
	}
	return t.String()
}

// ShardTable has the rates of the same filters with and without shards chosen by hashes.
func (r *results) ShardTable() string {
	t := markdown.New("chosen by")
	for _, s := range r.Shards {
		t.Put(s.Shared, s.Format, percent(s.measured(), "%.3g"))
	}
	for _, s := range r.Rates {
		if at := r.Shards[0]; s.Keys == at.Keys && s.BitsPerKey == at.BitsPerKey {
			t.Put("no shards", s.Format, percent(s.measured(), "%.3g"))
		}
	}
	return t.String()
}

// PebbleTable has the measured rates of Pebble's own filter.
func (r *results) PebbleTable() string {
	t := markdown.New("keys", "lines", "predicted", "measured", "FastLocal")
	for _, s := range r.Pebble.Measured {
		if s.Lines < 32_767 {
			continue
		}
		t.Add(markdown.Thousands(s.Keys), markdown.Thousands(s.Lines), percent(s.Predicted, "%.1f"), percent(s.measured(), "%.1f"), percent(s.FastLocal, "%.1f"))
	}
	return t.String()
}

// One returns the predicted rate of a setting, as one in how many.
func (*results) One(format string, keys int, bitsPerKey float64) string {
	return "1 in " + oneIn(formatOf(format).predicted(keys, bitsPerKey))
}

func percent(x float64, format string) string { return fmt.Sprintf(format+" %%", 100*x) }

// oneIn is how many absent keys there are for one false positive, to three digits and exactly for powers
// of two.
func oneIn(rate float64) string {
	one := 1 / rate
	if power := math.Exp2(math.Round(math.Log2(one))); one < 1e9 && math.Abs(one/power-1) < 2e-5 {
		return markdown.Thousands(power)
	}
	if one >= 1e9 {
		return fmt.Sprintf("%.1e", one)
	}
	return markdown.Thousands(digits(one, 3))
}
