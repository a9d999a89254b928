package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"text/tabwriter"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/sizes"
)

const aboutSize = `It prints what each format takes for a number of keys: with -fpr the least memory for the rate, with -bits or -bytes
the rate in that memory; "-" if the format cannot have it. Bytes are exact, but for Ribbon above a million keys, where they
are within one in 10,000. More keys than a filter holds are divided among several, as build does it, and their number is
printed.

  simdbloom size -keys=1e6 -fpr=0.001
  simdbloom size -keys=1e9 -bytes=2GiB

With -levels it prints bits per key for each level of an LSM tree, for the fewest expected reads of absent keys: in the
memory of -bits in every level, or in -bytes.

  simdbloom size -levels=1e6,1e7,1e8,1e9 -bits=10`

// sizeCommand is "simdbloom size".
type sizeCommand struct {
	keys   count
	levels counts
	fpr    rate
	bits   float64
	bytes  size
	asJSON bool
}

func (c *sizeCommand) addTo(flags *flag.FlagSet) {
	flags.Var(&c.keys, "keys", "the `number` of keys: 1e6, 1M")
	flags.Var(&c.levels, "levels", "the `numbers` of keys of levels, instead of -keys: 1e6,1e7,1e8")
	flags.Var(&c.fpr, "fpr", "the false-positive `rate`: 0.001, 1e-3, 0.1% or 1/1000")
	flags.Float64Var(&c.bits, "bits", 0, "`bits` per key")
	flags.Var(&c.bytes, "bytes", "the memory in `bytes`: 64KiB, 2GiB")
	flags.BoolVar(&c.asJSON, "json", false, "print a JSON object for each format")
}

// sizeRow is a format with -json.
type sizeRow struct {
	Format     string  `json:"format"`
	Package    string  `json:"package"`
	Possible   bool    `json:"possible"`
	BitsPerKey float64 `json:"bits_per_key,omitempty"` // that the keys take
	Setting    float64 `json:"setting,omitempty"`      // bits per key that the builder is given
	Bytes      int64   `json:"bytes,omitempty"`
	FPR        float64 `json:"fpr,omitempty"`
	Filters    int64   `json:"filters,omitempty"`
	Absent     string  `json:"lines_absent"`
	Present    string  `json:"lines_present"`
	Grows      bool    `json:"grows"`
	Readers    string  `json:"readers"`
}

func (c *sizeCommand) run(ctx context.Context, s *streams, args []string) error {
	given := 0
	for _, is := range []bool{c.fpr > 0, c.bits > 0, c.bytes > 0} {
		if is {
			given++
		}
	}
	switch {
	case len(args) > 0:
		return badUsage("size takes no arguments, only flags: %q", args)
	case c.levels != nil && (c.keys != 0 || c.fpr > 0):
		return badUsage("with -levels give -bits or -bytes, and neither -keys nor -fpr")
	case c.levels == nil && c.keys < 1:
		return badUsage("give -keys, at least 1, for example -keys=1e6")
	case c.bits != 0 && !(c.bits >= leastBits && c.bits <= mostBits):
		return badUsage("-bits must be from %v to %v, not %v", leastBits, mostBits, c.bits)
	case given != 1:
		return badUsage("give one of -fpr, -bits and -bytes")
	}
	if c.levels != nil {
		return c.printLevels(ctx, s)
	}
	var rows []sizeRow
	for _, f := range sizes.Formats() {
		rows = append(rows, c.row(f))
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
	fmt.Fprintln(table, "FORMAT\tBITS/KEY\tBYTES\tFPR\t1 IN\tLINES, ABSENT\tPRESENT\tGROWS\tALSO READ BY")
	for _, r := range rows {
		grows := "no"
		if r.Grows {
			grows = "yes"
		}
		bits, bytes, fpr, in := "-", "-", "-", "-"
		if r.Possible {
			bits, bytes, fpr, in = fmt.Sprintf("%.2f", r.BitsPerKey), figures.Thousands(r.Bytes), fmt.Sprintf("%.3g", r.FPR), figures.OneIn(r.FPR)[len("1 in "):]
			if r.Filters > 1 {
				bytes += fmt.Sprintf(" in %s filters", figures.Thousands(r.Filters))
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Format, bits, bytes, fpr, in, r.Absent, r.Present, grows, r.Readers)
	}
	return table.Flush()
}

func (c *sizeCommand) row(f *sizes.Format) sizeRow {
	var found *sizes.Row
	switch {
	case c.fpr > 0:
		found = f.ForRate(int64(c.keys), float64(c.fpr))
	case c.bits > 0:
		found = f.ForBits(int64(c.keys), c.bits)
	default:
		found = f.ForBytes(int64(c.keys), int64(c.bytes))
	}
	r := sizeRow{Format: f.Name, Package: f.Package, Absent: f.Absent, Present: f.Present, Grows: f.Grows, Readers: f.Readers}
	if found != nil {
		r.Possible, r.Setting, r.Bytes, r.FPR, r.Filters = true, found.Setting, found.Bytes, figures.SixDigits(found.FPR), found.Filters
		r.BitsPerKey = figures.SixDigits(found.BitsPerKey(int64(c.keys)))
	}
	return r
}
