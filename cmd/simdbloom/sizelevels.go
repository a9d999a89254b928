package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/sizes"
	"github.com/simdbloom/simdbloom/policy"
)

// counts is a flag for numbers of keys, separated by commas.
type counts []int64

func (c *counts) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(*c), " ", ","), "[]")
}

func (c *counts) Set(text string) error {
	*c = nil
	for part := range strings.SplitSeq(text, ",") {
		var n count
		if err := n.Set(part); err != nil {
			return err
		}
		*c = append(*c, int64(n))
	}
	return nil
}

// levelsRow is a format with -levels and -json.
type levelsRow struct {
	Format string     `json:"format"`
	Bytes  int64      `json:"bytes"`
	Reads  float64    `json:"reads"`                     // expected, of an absent key
	Same   float64    `json:"reads_same_bits,omitempty"` // with -bits in every level
	Levels []levelRow `json:"levels"`
}

type levelRow struct {
	Keys    int64   `json:"keys"`
	Setting float64 `json:"setting"` // bits per key: 0 without a filter
	Bytes   int64   `json:"bytes"`
	FPR     float64 `json:"fpr"`
}

// printLevels prints each format's bits per key by level.
func (c *sizeCommand) printLevels(ctx context.Context, s *streams) error {
	var rows []levelsRow
	for _, f := range sizes.Formats() {
		r, err := c.levelsRow(f)
		if err != nil {
			return err
		}
		rows = append(rows, r)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if c.asJSON {
		for _, r := range rows {
			if err := json.NewEncoder(s.out).Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FORMAT\tBYTES\tREADS PER 1000 ABSENT KEYS\tSAME BITS\tBITS/KEY BY LEVEL")
	for _, r := range rows {
		same := "-"
		if r.Same > 0 {
			same = threeDigits(1000 * r.Same)
		}
		var bits []string
		for _, l := range r.Levels {
			bits = append(bits, fmt.Sprintf("%.1f", l.Setting))
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", r.Format, figures.Thousands(r.Bytes), threeDigits(1000*r.Reads), same, strings.Join(bits, " "))
	}
	return table.Flush()
}

func threeDigits(reads float64) string {
	if reads >= 100 {
		return fmt.Sprintf("%.0f", reads)
	}
	return fmt.Sprintf("%.3g", reads)
}

// mostInTable is ByLevel's.
const mostInTable = 10_000_000

func (c *sizeCommand) levelsRow(f *sizes.Format) (levelsRow, error) {
	p := f.Policy(max(c.bits, 1))
	var levels []*policy.Policy
	var err error
	if c.bytes > 0 {
		levels, err = p.ByLevelWithin(int64(c.bytes), c.levels...)
	} else {
		levels, err = p.ByLevel(c.levels...)
	}
	if err != nil {
		return levelsRow{}, badUsage("-levels: %v", err)
	}
	r := levelsRow{Format: f.Name}
	for i, l := range levels {
		keys, inTable := c.levels[i], int(min(c.levels[i], mostInTable))
		bytes, fpr := levelBytes(l, keys, inTable), l.PredictedFPR(inTable)
		r.Bytes += min(bytes, math.MaxInt64-r.Bytes)
		r.Reads += fpr
		if c.bits > 0 {
			r.Same += p.PredictedFPR(inTable)
		}
		r.Levels = append(r.Levels, levelRow{keys, l.BitsPerKey(), bytes, figures.SixDigits(fpr)})
	}
	if r.Reads, r.Same = figures.SixDigits(r.Reads), figures.SixDigits(r.Same); math.IsNaN(r.Same) {
		r.Same = 0 // of a level that is too large for a filter with -bits
	}
	return r, nil
}

// levelBytes returns the size of a level's filters.
func levelBytes(p *policy.Policy, keys int64, inTable int) int64 {
	if keys == 0 || p.BitsPerKey() == 0 {
		return 0
	}
	if bytes := float64(p.SizeBytes(inTable)) * (float64(keys) / float64(inTable)); bytes < math.MaxInt64 {
		return int64(math.Ceil(bytes))
	}
	return math.MaxInt64
}
