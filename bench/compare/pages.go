package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// pagesWithBlocks have blocks that this program writes.
var pagesWithBlocks = []string{"README.md", "docs/measured.md"}

// blocks are their texts, by their names.
var blocks = map[string]func(*runResults) string{
	"run":     (*runResults).describe,
	"summary": (*runResults).summary,
	"memory":  (*runResults).memory,
	"lookups": func(r *runResults) string { return r.timesTables(middle) },
	"far":     func(r *runResults) string { return r.timesTables(large) },
	"levels":  (*runResults).levelsTable,
	"adders":  (*runResults).addersTable,
}

// files returns the files of a clone that show the run, by their paths in it.
func (r *runResults) files(clone string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	for name, draw := range plots {
		text, err := draw(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files["docs/plots/"+name] = text
	}
	for _, page := range pagesWithBlocks {
		text, err := markdown.Blocks(filepath.Join(clone, page), "compare", func(name string) string {
			if block := blocks[name]; block != nil {
				return block(r)
			}
			return ""
		})
		if err != nil {
			return nil, err
		}
		files[page] = text
	}
	return files, nil
}

// describe returns the run's machine and date.
func (r *runResults) describe() string {
	return fmt.Sprintf("%s. %d rounds of %s queries, keys of %d bytes.\n", r.Machine.On(r.Date), r.Rounds, markdown.Thousands(r.Queries), r.KeyBytes)
}

// summary is the README's table: a few lines for each rate, and the peers that are asked for most.
func (r *runResults) summary() string {
	names := []string{"FastLocal", "Paired", "Linear", "Ribbon", "Pebble", "parquet-go", "bits-and-blooms", "binary fuse"}
	headings := []string{""}
	for _, name := range names {
		headings = append(headings, bold(name, r.peer(name).Own))
	}
	t := markdown.New(headings...)
	for _, oneIn := range timedRates {
		line := func(title string, cell func(p *peerResults, s *sizeResult) string) {
			cells := []string{title}
			for _, name := range names {
				p := r.peer(name)
				if size := p.at(middle, oneIn); size != nil {
					cells = append(cells, cell(p, size))
				} else {
					cells = append(cells, "–")
				}
			}
			t.Add(cells...)
		}
		line("**1 in "+markdown.Thousands(oneIn)+"**: bits/key", func(_ *peerResults, s *sizeResult) string { return fmt.Sprintf("%.1f", s.BitsPerKey) })
		line("one key, absent / half present", func(_ *peerResults, s *sizeResult) string { return pair(s.OneAbsent, s.One) })
		line("in a Pebble store", func(_ *peerResults, s *sizeResult) string { return pair(s.StoredAbsent, s.Stored) })
		line("many keys, half present", func(p *peerResults, s *sizeResult) string { return nanoseconds(s.Batch) + loop(p) })
		line("building, a key", func(_ *peerResults, s *sizeResult) string { return nanoseconds(s.Build) })
	}
	return t.String()
}

// memory has the bits per key that peers take for some rates.
func (r *runResults) memory() string {
	t := markdown.New("filter")
	for _, p := range r.Peers {
		name := bold(p.Name, p.Own)
		for _, oneIn := range timedRates {
			cell := "–"
			if size := p.at(middle, oneIn); size != nil {
				cell = fmt.Sprintf("%.1f", size.BitsPerKey)
			}
			t.Put(name, "1 in "+markdown.Thousands(oneIn), cell)
		}
		t.Put(name, "version", versionOf(p))
	}
	return t.String()
}

// timesTables have the times of filters with the given number of keys: a table for the highest rate, and one for the
// lowest.
func (r *runResults) timesTables(keys int) string {
	var tables []string
	for _, oneIn := range []int{timedRates[0], timedRates[len(timedRates)-1]} {
		t := markdown.New("1 in "+markdown.Thousands(oneIn), "one absent key", "one key, half present", "in a store", "batch of keys", "batch of hashes", "build")
		for _, p := range r.Peers {
			size := p.at(keys, oneIn)
			if size == nil {
				continue
			}
			hashes := "–"
			if len(size.Hashes) > 0 {
				hashes = nanoseconds(size.Hashes) + loop(p)
			}
			t.Add(bold(p.Name, p.Own), nanoseconds(size.OneAbsent),
				nanoseconds(size.One), pair(size.StoredAbsent, size.Stored), nanoseconds(size.Batch)+loop(p), hashes, nanoseconds(size.Build))
		}
		tables = append(tables, t.String())
	}
	return strings.Join(tables, "\n")
}

// levelsTable has the times of the kernels of each level, in filters of each size.
func (r *runResults) levelsTable() string {
	var sizes []int
	for _, l := range r.Levels.Rows {
		if !slices.Contains(sizes, l.Bytes) {
			sizes = append(sizes, l.Bytes)
		}
	}
	headings := []string{"filter", "level"}
	for _, bytes := range sizes {
		headings = append(headings, markdown.Size(bytes))
	}
	t := markdown.New(headings...)
	var row []string
	for _, l := range r.Levels.Rows {
		if row == nil {
			row = []string{fmt.Sprintf("%s, %v bits/key", l.Format, l.BitsPerKey), l.Level}
		}
		row = append(row, strings.Join([]string{nanoseconds(l.All), nanoseconds(l.Few), nanoseconds(l.One), nanoseconds(l.Build)}, " / "))
		if len(row) == len(headings) {
			t.Add(row...)
			row = nil
		}
	}
	return t.String() + "\n" + r.Levels.Machine.On(r.Levels.Date) + ".\n"
}

// addersTable has the times of filters that take keys at any time.
func (r *runResults) addersTable() string {
	t := markdown.New("filter", "size", "one key", "a key and a lookup", "many keys", "two goroutines")
	for _, g := range r.Adders.Rows {
		cells := []string{bold(g.Name, g.Own), markdown.Size(g.Bytes)}
		for _, ns := range []times{g.One, g.Turns, g.Batch, g.Two} {
			if len(ns) == 0 {
				cells = append(cells, "–")
			} else {
				cells = append(cells, nanoseconds(ns))
			}
		}
		t.Add(cells...)
	}
	return t.String() + "\n" + r.Adders.Machine.On(r.Adders.Date) + ".\n"
}

// loop marks the time of many keys where they were looked up in a loop.
func loop(p *peerResults) string {
	if p.Loops {
		return "†"
	}
	return ""
}

// bold is the name of a filter, in bold if it is this library's.
func bold(name string, own bool) string {
	if own {
		return "**" + name + "**"
	}
	return name
}

// versionOf is a peer's version, without the digits of a commit that a page has no use for.
func versionOf(p *peerResults) string {
	if p.Own {
		return "–"
	}
	const date = 8 // of a pseudo-version, after which come the time and the commit
	if parts := strings.Split(p.Version, "-"); len(parts) > 2 {
		stamp := parts[len(parts)-2]
		return p.Module + ", " + stamp[strings.LastIndexByte(stamp, '.')+1:][:date]
	}
	return p.Module + " " + p.Version
}

// pair is a cell with times of absent keys, and of keys half of which are present.
func pair(absent, present times) string {
	if len(present) == 0 {
		return "–"
	}
	return nanoseconds(absent) + " / " + nanoseconds(present)
}

// nanoseconds is a cell with the median of some times: two digits, or more before the decimal point.
func nanoseconds(t times) string {
	if len(t) == 0 {
		return "–"
	}
	if ns := t.median(); ns >= 9.95 {
		return fmt.Sprintf("%.0f", ns)
	}
	return fmt.Sprintf("%.1f", t.median())
}
