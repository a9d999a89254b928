package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// pages have tables between marks, whose text is replaced.
var pages = []string{"README.md", "docs/peers.md", "docs/plots.md"}

// tables are the texts between marks, by their names.
var tables = map[string]func(*results.Run) string{
	"run":        describe,
	"conditions": conditions,
	"summary":    summary,
	"rates":      rates,
	"small":      func(run *results.Run) string { return timesTables(run, results.Small) },
	"middle":     func(run *results.Run) string { return timesTables(run, results.Middle) },
	"large":      func(run *results.Run) string { return timesTables(run, results.Large) },
	"spread":     spread,
}

// withTables replaces what is between a page's marks.
func withTables(page []byte, run *results.Run) ([]byte, error) {
	return betweenMarks(page, "peers", func(name string) string {
		if table := tables[name]; table != nil {
			return table(run)
		}
		return ""
	})
}

// describe says where and when the run was.
func describe(run *results.Run) string {
	return fmt.Sprintf("%s, level %s, %s, %s. %d rounds of %s queries, keys of %d bytes.\n",
		run.Machine.CPU, run.Machine.Level, run.Machine.Go, run.Date, run.Rounds, markdown.Thousands(run.Queries), run.KeyBytes)
}

// conditions are what else is to be known of a run, a line for each.
func conditions(run *results.Run) string {
	lines := []string{"Rates: " + markdown.Thousands(run.RateKeys) + " keys a filter"}
	if run.MostRateQueries > 0 {
		lines[0] += ", at most " + markdown.Thousands(run.MostRateQueries) + " queries a rate"
	}
	lines[0] += "."
	if run.Load > 0 {
		lines = append(lines, fmt.Sprintf("The system's load average was up to %.1f while times were measured, of which 1 is the program's own.", run.Load))
	}
	var untimed []string
	for _, p := range run.Peers {
		if len(p.Sizes) == 0 {
			untimed = append(untimed, p.Name)
		}
	}
	if untimed != nil {
		lines = append(lines, "Not timed in this run: "+strings.Join(untimed, ", ")+".")
	}
	if run.Note != "" {
		lines = append(lines, run.Note)
	}
	return strings.Join(lines, "\n") + "\n"
}

// summary is the README's table: a few lines for each rate, and the peers that are asked for most.
func summary(run *results.Run) string {
	names := []string{"FastLocal", "Paired", "Linear", "Ribbon", "Pebble", "parquet-go", "bits-and-blooms", "binary fuse"}
	headings := []string{""}
	for _, name := range names {
		headings = append(headings, nameOf(run.Peer(name)))
	}
	t := markdown.New(headings...)
	for _, oneIn := range results.TimedRates {
		line := func(title string, cell func(p *results.Peer, s *results.Size) string) {
			cells := []string{title}
			for _, name := range names {
				p := run.Peer(name)
				if size := p.At(results.Middle, oneIn); size != nil {
					cells = append(cells, cell(p, size))
				} else {
					cells = append(cells, "–")
				}
			}
			t.Add(cells...)
		}
		line("**1 in "+markdown.Thousands(oneIn)+"**: bits/key", func(_ *results.Peer, s *results.Size) string { return fmt.Sprintf("%.1f", s.BitsPerKey) })
		line("one key, absent / half present", func(_ *results.Peer, s *results.Size) string {
			return nanoseconds(s.OneAbsent) + " / " + nanoseconds(s.One)
		})
		line("many keys, half present", func(p *results.Peer, s *results.Size) string { return nanoseconds(s.Batch) + loop(p) })
		line("building, a key", func(_ *results.Peer, s *results.Size) string { return nanoseconds(s.Build) })
	}
	return t.String()
}

// rates are the bits per key that peers take for some rates.
func rates(run *results.Run) string {
	t := markdown.New("filter", "1 in 100", "1 in 1,000", "1 in 10,000", "1 in 55,000", "version")
	for _, p := range run.Peers {
		cells := []string{nameOf(p)}
		for _, one := range []float64{100, 1000, 10_000, 55_000} {
			cells = append(cells, bitsPerKey(p, 1/one))
		}
		t.Add(append(cells, versionOf(p))...)
	}
	return t.String()
}

// timesTables have the times of filters with the given number of keys, a table for each rate.
func timesTables(run *results.Run, keys int) string {
	var tables []string
	for _, oneIn := range results.TimedRates {
		t := markdown.New("1 in "+markdown.Thousands(oneIn), "bits/key", "1 in", "one absent key", "one key, half present", "batch of keys", "batch of hashes", "build")
		empty := true
		for _, p := range run.Peers {
			size := p.At(keys, oneIn)
			if size == nil {
				continue
			}
			empty = false
			hashes := ""
			if len(size.Hashes) > 0 {
				hashes = nanoseconds(size.Hashes) + loop(p)
			}
			t.Add(nameOf(p), fmt.Sprintf("%.1f", size.BitsPerKey), twoDigits(float64(size.Queries)/float64(max(1, size.FalsePositives))), nanoseconds(size.OneAbsent),
				nanoseconds(size.One), nanoseconds(size.Batch)+loop(p), hashes, nanoseconds(size.Build))
		}
		if !empty {
			tables = append(tables, t.String())
		}
	}
	return strings.Join(tables, "\n")
}

// loop marks the time of many keys where they were looked up in a loop.
func loop(p *results.Peer) string {
	if p.Loops {
		return "†"
	}
	return ""
}

// spread has the medians of filters of the middle size and the first rate, and their fastest and slowest rounds.
func spread(run *results.Run) string {
	t := markdown.New(markdown.Thousands(results.Middle)+" keys", "one absent key", "one key, half present", "batch of keys", "build")
	for _, p := range run.Peers {
		size := p.At(results.Middle, results.TimedRates[0])
		if size == nil {
			continue
		}
		cells := []string{nameOf(p)}
		for _, times := range []results.Times{size.OneAbsent, size.One, size.Batch, size.Build} {
			cells = append(cells, fmt.Sprintf("%s (%s to %s)", nanoseconds(times), digits(times.Least()), digits(times.Most())))
		}
		t.Add(cells...)
	}
	return t.String()
}

func nameOf(p *results.Peer) string {
	if p.Own {
		return "**" + p.Name + "**"
	}
	return p.Name
}

// versionOf is a peer's version, without the digits of a commit that a page has no use for.
func versionOf(p *results.Peer) string {
	if p.Own {
		return "this library"
	}
	const date = 8 // of a pseudo-version, after which come the time and the commit
	if parts := strings.Split(p.Version, "-"); len(parts) > 2 {
		stamp := parts[len(parts)-2]
		return p.Module + ", " + stamp[strings.LastIndexByte(stamp, '.')+1:][:date]
	}
	return p.Module + " " + p.Version
}

// bitsPerKey is a cell with the bits per key for a rate.
func bitsPerKey(p *results.Peer, fpr float64) string {
	if bits, ok := p.BitsPerKeyFor(fpr); ok {
		return fmt.Sprintf("%.1f", bits)
	}
	return "–"
}

// nanoseconds is a cell with the median of some times.
func nanoseconds(t results.Times) string { return digits(t.Median()) }

// digits writes nanoseconds with two digits, or more before the decimal point.
func digits(ns float64) string {
	if ns < 9.95 {
		return fmt.Sprintf("%.1f", ns)
	}
	return fmt.Sprintf("%.0f", ns)
}

// twoDigits writes a large number, of which no more is known.
func twoDigits(n float64) string {
	decade := math.Pow10(max(0, int(math.Log10(n))-1))
	return markdown.Thousands(int(math.Round(n/decade) * decade))
}
