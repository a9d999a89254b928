package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/falsepos"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/store"
)

// output is the result.
type output struct {
	Machine  machine.Description `json:"machine"`
	Pebble   string              `json:"pebble"`
	Settings map[string]string   `json:"settings"`
	Stores   []*storeReport      `json:"stores,omitempty"`
	Error    string              `json:"error,omitempty"`
}

// measure makes all stores, and then looks keys up in each in turn, round by round. In the end, and
// if the context ends, it removes the stores.
func (o *output) measure(ctx context.Context, s *settings, bar *progress.Bar) (err error) {
	dir, err := os.MkdirTemp(s.dir, "pebble_gets")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var stores []*filtered
	defer func() {
		for _, st := range stores {
			err = errors.Join(err, st.Close())
		}
	}()
	var ref store.Tables
	if s.shape == filled {
		if ref, err = newReference(ctx, s, dir, bar); err != nil {
			return err
		}
	}
	for _, f := range s.filters {
		st, err := newStore(ctx, s, ref, dir, f, bar)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		stores = append(stores, st)
		o.Stores = append(o.Stores, st.report)
		for _, l := range lookups {
			st.report.Lookups = append(st.report.Lookups, &getsReport{Lookup: l.name})
		}
	}
	defer machine.Pin()()
	for round := -1; round < s.rounds; round++ { // the first one is not counted
		for i, l := range lookups {
			for _, st := range stores {
				if err := context.Cause(ctx); err != nil {
					return err
				}
				report := st.report.Lookups[i]
				if round < 0 {
					report = new(getsReport)
				}
				// The same keys for every store.
				random := rand.New(rand.NewPCG(uint64(round+1), uint64(i)))
				if err := st.lookUp(s, l, random, report, bar); err != nil {
					return fmt.Errorf("%s: %w", st.report.Filter, err)
				}
			}
		}
	}
	for _, st := range o.Stores {
		for _, lookup := range st.Lookups {
			lookup.finish()
		}
	}
	return nil
}

func (o *output) printHeading(w io.Writer) {
	fmt.Fprintf(w, "%s\nPebble %s, %s keys of %d bytes with values of %s, shape %s, block cache of %s MiB; %s rounds of %s lookups of each kind\n",
		o.Machine, o.Pebble, o.Settings["keys"], keyBytes, o.Settings["value_bytes"], o.Settings["shape"], o.Settings["cache"],
		o.Settings["rounds"], o.Settings["gets"])
}

func (o *output) printTables(w io.Writer) {
	columns := func(rows func(line func(cells ...any))) {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		rows(func(cells ...any) {
			for _, cell := range cells {
				fmt.Fprintf(table, "%v\t", cell)
			}
			fmt.Fprintln(table)
		})
		table.Flush()
	}
	fmt.Fprintln(w, "\n== stores")
	columns(func(line func(cells ...any)) {
		line("filter", "written in", "tables", "filters", "bits/key", "tables (keys) of each level")
		for _, st := range o.Stores {
			var levels []string
			var keys uint64
			for _, l := range st.Levels {
				levels = append(levels, fmt.Sprintf("L%d: %d (%d)", l.Level, l.Tables, l.Keys))
				keys += l.Keys
			}
			line(st.Filter, fmt.Sprintf("%.1f s", st.WriteSeconds), fmt.Sprintf("%.1f MB", float64(st.TableBytes)/1e6),
				fmt.Sprintf("%.2f MB", float64(st.FilterBytes)/1e6), fmt.Sprintf("%.2f", 8*float64(st.FilterBytes)/float64(max(1, keys))),
				strings.Join(levels, ", "))
		}
	})
	for i, l := range lookups {
		fmt.Fprintf(w, "\n== %s\n", l.name)
		columns(func(line func(cells ...any)) {
			heading := []any{"filter", "a second", "p50", "p99", "p99.9", "data blocks read a Get", "filter blocks", "all blocks"}
			if !l.present {
				heading = append(heading, "filters queried", "false positives", "rate", "95 % interval")
			}
			line(heading...)
			for _, st := range o.Stores {
				r := st.Lookups[i]
				cells := []any{
					st.Filter, fmt.Sprintf("%.0f", r.PerSec), microseconds(r.P50), microseconds(r.P99), microseconds(r.P999),
					perGet(r.Data, r.Gets), perGet(r.Filter, r.Gets), perGet(r.All, r.Gets),
				}
				if r.Queried > 0 {
					low, high := falsepos.Interval(int(r.FalsePositives), int(r.Queried))
					cells = append(cells, r.Queried, r.FalsePositives, fmt.Sprintf("%.3g", r.FPR), fmt.Sprintf("%.2g to %.2g", low, high))
				}
				line(cells...)
			}
		})
	}
}

func microseconds(d time.Duration) string { return fmt.Sprintf("%.1f µs", float64(d)/1e3) }

func perGet(reads int64, gets int) string { return fmt.Sprintf("%.6f", float64(reads)/float64(gets)) }
