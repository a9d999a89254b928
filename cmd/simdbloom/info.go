package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
)

const aboutInfo = `The predicted rate is computed from the numbers of keys. -estimate reads all bytes, and computes the rate from the bits
that are set.

` + aboutForeign

// infoCommand is "simdbloom info".
type infoCommand struct{ estimate, asJSON bool }

func (c *infoCommand) addTo(flags *flag.FlagSet) {
	flags.BoolVar(&c.estimate, "estimate", false, "read everything, and compute the false-positive rate from the bits")
	flags.BoolVar(&c.asJSON, "json", false, "print a JSON object for each set")
}

func (c *infoCommand) run(ctx context.Context, s *streams, args []string) error {
	if len(args) == 0 {
		return badUsage("name a set or a filter file")
	}
	return interruptible(ctx, func() error {
		var all []error
		for _, name := range args {
			f, err := factsOf(name, c.estimate)
			var odd notes
			if err == nil {
				odd.grown(f)
				f.Notes = odd.texts
			}
			switch {
			case err != nil:
			case c.asJSON:
				err = json.NewEncoder(s.out).Encode(f)
			default:
				err = f.print(s.out)
			}
			all = append(all, err)
		}
		return errors.Join(all...)
	})
}

// print writes the facts for people.
func (f *facts) print(w io.Writer) error {
	var text strings.Builder
	line := func(label, value string) { fmt.Fprintf(&text, "  %-14s %s\n", label, value) }
	fmt.Fprintln(&text, f.Name)
	line("kind", f.Kind)
	line("format", f.Format)
	if f.Kind == slicedKind {
		line("filters", figures.Thousands(int64(f.Filters)))
	} else {
		line("keys", orUnknown(f.Keys))
	}
	line("bytes", figures.Thousands(f.Bytes))
	if f.BitsPerKey > 0 {
		line("bits/key", fmt.Sprintf("%.2f", f.BitsPerKey))
	}
	if f.Kind == setKind {
		line("parts", figures.Thousands(int64(f.Parts)))
		line("layers", figures.Thousands(int64(f.Layers)))
	}
	if f.Kind == redisKind {
		line("links", figures.Thousands(int64(f.Layers)))
	}
	if f.Kind == dcsoKind || f.Kind == redisKind {
		line("made for", fmt.Sprintf("%s keys, rate %s", figures.Thousands(int64(min(f.Capacity, math.MaxInt64))), figures.Rate(f.CapacityFPR)))
		line("probes", figures.Thousands(int64(f.Probes)))
	}
	if f.Kind == dcsoKind {
		rule := f.Rule
		if f.MaybeRule != "" {
			rule += ", or perhaps " + f.MaybeRule
		}
		line("rule", rule)
		line("data", figures.Thousands(int64(f.DataBytes))+" bytes")
	}
	for i := range f.Shapes {
		line("shape", f.Shapes[i].text())
	}
	if f.PredictedFPR > 0 {
		line("predicted FPR", figures.Rate(f.PredictedFPR))
	}
	if f.EstimatedFPR != nil {
		line("estimated FPR", figures.Rate(*f.EstimatedFPR))
	}
	for _, made := range f.Inputs {
		line("keys read by", made)
	}
	for _, note := range f.Notes {
		line("note", note)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// line is the facts of what was built or merged, in a line.
func (f *facts) line() string {
	line := figures.Count(f.Keys, "key") + ", " + figures.Bytes(f.Bytes)
	if f.BitsPerKey > 0 {
		line += fmt.Sprintf(", %.2f bits/key", f.BitsPerKey)
	}
	if f.Parts > 1 {
		line += fmt.Sprintf(", %s parts", figures.Thousands(int64(f.Parts)))
	}
	if f.PredictedFPR > 0 {
		line += ", false-positive rate " + figures.Rate(f.PredictedFPR)
	}
	return line
}

func orUnknown(keys int64) string {
	if keys < 0 {
		return "unknown"
	}
	return figures.Thousands(keys)
}
