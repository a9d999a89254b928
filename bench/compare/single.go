package main

import (
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/simdbloom/simdbloom/bench/internal/pages"
)

// setSingleDefaults sets what -single has other defaults for, as far as it was not
// given: sizes of tables' filters, keys, and the pages that a block cache has.
func (s *settings) setSingleDefaults(flags *flag.FlagSet) {
	given := make(map[string]bool)
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	s.bitsPerKey = newList(fmt.Sprint(usualBitsPerKey), parseBitsPerKey)
	if !given["sizes"] {
		s.sizes = newList("16KiB,1MiB,64x1MiB,32MiB", parseSizes)
	}
	if !given["present"] {
		s.present = newList("0,0.5", parseShare)
	}
	if !given["key_bytes"] {
		s.keyBytes = newList("16", parseKeyBytes)
	}
	if !given["pages"] {
		s.pages = pages.Ordinary
	}
}

// printSingle prints tables of the same rows as one, side by side.
func printSingle(out io.Writer, tables []*table) {
	turns := "rounds"
	if tables[0].Turns {
		turns = "turns in random order"
	}
	fmt.Fprintf(out, "%d %s of %d keys, one a call:\n", tables[0].Rounds, turns, tables[0].Queries)
	w := tabwriter.NewWriter(out, 0, 0, 1, ' ', tabwriter.AlignRight)
	for _, t := range tables {
		fmt.Fprintf(w, "\t%v %%\tpresent", 100*t.Present)
	}
	fmt.Fprint(w, "\t\nrow")
	for _, t := range tables {
		use := "added"
		if t.Branch {
			use = "branch"
		}
		fmt.Fprintf(w, "\t%s ns\tx", use)
	}
	fmt.Fprint(w, "\t\n")
	for i, r := range tables[0].Rows {
		fmt.Fprint(w, r.Name)
		for _, t := range tables {
			fmt.Fprintf(w, "\t%.1f\t%.2f", t.Rows[i].MedianNS, t.Rows[i].ToReference)
		}
		fmt.Fprint(w, "\t\n")
	}
	w.Flush()
}
