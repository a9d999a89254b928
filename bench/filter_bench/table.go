package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// defaultRows are filters with false-positive rates of about 1 in 100, 1 in 1,000 and 1 in 60,000.
var defaultRows = [][]string{
	{"Pebble:10", "goleveldb:10", "parquet-go:10.6", "simdbloom.FastLocal:10", "simdbloom.Paired:10", "simdbloom.Linear:7.35", "simdbloom.Ribbon:10"},
	{"parquet-go:17", "simdbloom.FastLocal:15.5", "simdbloom.Paired:14.8", "simdbloom.Linear:10.4", "simdbloom.Ribbon:15.5"},
	{"parquet-go:36.5", "simdbloom.FastLocal:28", "simdbloom.Paired:23.4", "simdbloom.Linear:16.6", "simdbloom.Ribbon:27"},
}

// table compares filters over the same keys.
type table struct {
	source  string
	queried int // absent keys
	lookups int // in a round, each way, half of them of added keys
	rows    []*row

	lines, added, absent [][]byte       // every second of the lines is added
	hashes               []keyhash.Hash // of the rows that are this library's
}

// keyFilter is the filter of a row: a *simdbloom.Filter or another project's.
type keyFilter interface {
	Contains(key []byte) bool
	ContainsKeys(keys [][]byte, hits []bool)
	SizeBytes() int
}

// row is a filter's part of a table.
type row struct {
	name      string
	group     int // rows of a group stand together
	build     build
	policy    *policy.Policy // nil for others' filters
	hash      int            // which of the table's, if it has a policy
	filter    keyFilter
	predicted float64 // rate, of this library's filters

	falseNegatives, falsePositives int
	oneNS, manyNS, buildNS         float64 // a key
}

// compare prints the table of the filters that were named, or of the default ones.
func compare(s *settings, out, terminal io.Writer) error {
	rows := defaultRows
	if len(s.rows) > 0 {
		rows = [][]string{s.rows}
	}
	t, err := newTable(s.keys, rows)
	if err != nil {
		return err
	}
	t.queried = int(1e6*s.mQueries + 0.5)
	return t.measure(out, terminal)
}

func (t *table) measure(out, terminal io.Writer) error {
	fmt.Fprintf(out, "%d keys: every second one of the %d distinct lines of %s\n\n", len(t.added), len(t.lines), t.source)
	if err := t.time(terminal); err != nil {
		return err
	}
	t.countFalsePositives(terminal)
	t.print(out)
	for _, r := range t.rows {
		if r.falseNegatives > 0 {
			return fmt.Errorf("%w: %s lost %d keys", errFalseNegative, r.name, r.falseNegatives)
		}
	}
	return nil
}

// newTable reads the keys and the filters' names.
func newTable(keyFile string, groups [][]string) (t *table, err error) {
	t = &table{source: keyFile}
	for group, names := range groups {
		for _, name := range names {
			r, err := t.newRow(name)
			if err != nil {
				return nil, err
			}
			r.group = group
			t.rows = append(t.rows, r)
		}
	}
	if keyFile != "" {
		t.lines, err = fileLines(keyFile)
	} else if t.source, err = goSource(); err == nil {
		t.lines, err = treeLines(t.source)
		t.source += "'s Go files"
	}
	if err != nil {
		return nil, err
	}
	if len(t.lines) < 2 {
		return nil, fmt.Errorf("%s has a single line: none is left to be absent", t.source)
	}
	for i, line := range t.lines {
		if i%2 == 0 {
			t.added = append(t.added, line)
		} else {
			t.absent = append(t.absent, line)
		}
	}
	return t, nil
}

func (t *table) newRow(name string) (*row, error) {
	r := &row{name: name}
	var err error
	if r.build, err = otherFilter(name); r.build != nil || err != nil {
		return r, err
	}
	if r.policy, err = policy.Parse(name); err != nil {
		return nil, err
	}
	r.build = func(keys [][]byte) (keyFilter, error) { return buildOwn(r.policy, keys) }
	if r.hash = slices.Index(t.hashes, r.policy.Hash()); r.hash < 0 {
		r.hash = len(t.hashes)
		t.hashes = append(t.hashes, r.policy.Hash())
	}
	return r, nil
}

func buildOwn(p *policy.Policy, keys [][]byte) (*simdbloom.Filter, error) {
	b := p.NewBuilder()
	b.AddKeys(keys)
	data, err := b.Finish()
	if err != nil {
		return nil, err
	}
	return p.Open(data)
}

// print writes the table, in at most 100 columns where filters have usual names.
func (t *table) print(out io.Writer) {
	var text bytes.Buffer
	atMost := ""
	if timing.Busy() != "" {
		atMost = "≤"
	}
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "filter and setting\tbits/key\trate: 1 in\tpredicted\tone, ns\tmany, ns\tbuild, ns\tlost\t\n")
	for i, r := range t.rows {
		if i > 0 && r.group != t.rows[i-1].group {
			fmt.Fprint(w, strings.Repeat("\t", 8), "\n")
		}
		predicted := "-"
		if r.policy != nil {
			predicted = fmt.Sprintf("%.0f", 1/r.predicted)
		}
		fmt.Fprintf(w, "%s\t%.2f\t%s\t%s\t%s%.1f\t%s%.1f\t%s%.1f\t%d\t\n", r.name, 8*float64(r.filter.SizeBytes())/float64(len(t.added)), t.oneIn(r), predicted,
			atMost, r.oneNS, atMost, r.manyNS, atMost, r.buildNS, r.falseNegatives)
	}
	w.Flush()
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(out, strings.TrimRight(line, " \n"))
	}
	fmt.Fprintf(out, `
simdbloom's filters are this library's. Pebble, goleveldb and parquet-go are the filters of these
projects, by their own code; they have no call for many keys, which is a loop.
rate       absent keys for one false positive, of %d that were looked up
predicted  the same, by PredictedFPR
one, many  nanoseconds a key, hashing included: medians of %d rounds on one CPU, each of %d keys,
           half of them present, one a call or all in one call
build      the same for adding a key, hashing included
lost       added keys that the filter does not find: must be 0
`, t.queried, rounds, t.lookups)
}

// oneIn returns the number of absent keys for each false positive.
func (t *table) oneIn(r *row) string {
	if r.falsePositives == 0 {
		return fmt.Sprint(">", t.queried)
	}
	return fmt.Sprintf("%.0f", float64(t.queried)/float64(r.falsePositives))
}
