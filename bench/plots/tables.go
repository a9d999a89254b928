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
	"small":      func(run *results.Run) string { return timesTable(run, small) },
	"middle":     func(run *results.Run) string { return timesTable(run, middle) },
	"large":      func(run *results.Run) string { return timesTable(run, large) },
	"spread":     spread,
}

// Numbers of keys in the filters of the tables.
const (
	small  = 9 * (1 << 16) / 10
	middle = 9 * (1 << 19) / 10
	large  = 9 * (1 << 25) / 10
)

// withTables replaces what is between a page's marks.
func withTables(page []byte, run *results.Run) ([]byte, error) {
	return betweenMarks(page, "peers", func(name string) string {
		if table := tables[name]; table != nil {
			return table(run)
		}
		return ""
	})
}

// describe says where and when the run was, and what filters were timed.
func describe(run *results.Run) string {
	return fmt.Sprintf("%s, level %s, %s, %s. %d rounds of %s queries, keys of %d bytes.\n%s\n",
		run.Machine.CPU, run.Machine.Level, run.Machine.Go, run.Date, run.Rounds, markdown.Thousands(run.Queries), run.KeyBytes, timedBits(run))
}

// timedBits says at how many bits per key this project's filters were timed.
func timedBits(run *results.Run) string {
	const most = 10
	text := fmt.Sprintf("Times at %d bits/key", most)
	for _, p := range run.Peers {
		if !p.Own || len(p.Sizes) == 0 {
			continue
		}
		largest := p.Sizes[len(p.Sizes)-1] // in which rounding up is least
		if bits := 8 * float64(largest.Bytes) / float64(largest.Keys); math.Abs(bits-most) > 0.05 {
			text += fmt.Sprintf(", %s's at %.1f", p.Name, bits)
		}
	}
	return text + "."
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

// summary is the README's table: five lines, and the peers that are asked for most.
func summary(run *results.Run) string {
	names := []string{"FastLocal", "Paired", "Linear", "Ribbon", "Pebble", "parquet-go", "bits-and-blooms", "binary fuse 16"}
	peers := make([]*results.Peer, 0, len(names))
	for _, name := range names {
		if p := run.Peer(name); p != nil && p.At(middle) != nil {
			peers = append(peers, p)
		}
	}
	headings := []string{""}
	for _, p := range peers {
		headings = append(headings, nameOf(p))
	}
	t := markdown.New(headings...)
	line := func(title string, cell func(p *results.Peer) string) {
		cells := []string{title}
		for _, p := range peers {
			cells = append(cells, cell(p))
		}
		t.Add(cells...)
	}
	timed := func(title string, of func(*results.Size) results.Times) {
		line(title, func(p *results.Peer) string { return nanoseconds(of(p.At(middle))) })
	}
	timed("ns a lookup, one key", func(s *results.Size) results.Times { return s.OneAbsent })
	timed("ns a lookup, batched", func(s *results.Size) results.Times { return s.Batch })
	line("bits/key at 0.1 %", func(p *results.Peer) string { return bitsPerKey(p, 1./1000) })
	line("bits/key at 1 in 55,000", func(p *results.Peer) string { return bitsPerKey(p, 1./55_000) })
	timed("ns a key to build", func(s *results.Size) results.Times { return s.Build })
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

// timesTable has the times of filters with the given number of keys.
func timesTable(run *results.Run, keys int) string {
	t := markdown.New(markdown.Thousands(keys)+" keys", "bits/key", "bytes", "one absent key", "one key, half present", "batch of keys",
		"batch of hashes", "build")
	for _, p := range run.Peers {
		size := p.At(keys)
		if size == nil {
			continue
		}
		hashes := ""
		if len(size.Hashes) > 0 {
			hashes = nanoseconds(size.Hashes)
		}
		t.Add(nameOf(p), fmt.Sprintf("%.1f", 8*float64(size.Bytes)/float64(keys)), markdown.Thousands(size.Bytes), nanoseconds(size.OneAbsent),
			nanoseconds(size.One), nanoseconds(size.Batch), hashes, nanoseconds(size.Build))
	}
	return t.String()
}

// spread has the medians of filters of the middle size, and their fastest and slowest rounds.
func spread(run *results.Run) string {
	t := markdown.New(markdown.Thousands(middle)+" keys", "one absent key", "one key, half present", "batch of keys", "build")
	for _, p := range run.Peers {
		size := p.At(middle)
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
