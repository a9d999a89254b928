package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// defaultRows show "same memory, better rate" and "same rate, less memory". The first one is
// Pebble's own format.
var defaultRows = []string{
	legacyPolicy + ":10",
	"simdbloom.Bloom:10",
	"simdbloom.Bloom:23.4",
	"simdbloom.Bloom:28",
	"simdbloom.Paired:23.4",
	"simdbloom.Linear:16",
	"simdbloom.Linear:23.4",
	"rocksdb.RibbonFilter:10",
	"rocksdb.RibbonFilter:28",
	"speedb.PairedBloomFilter:23.4",
}

// table compares policies over the same keys.
type table struct {
	Source  string             `json:"source"`
	Lines   int                `json:"distinct_lines"` // every second one is added
	Queried int                `json:"absent_keys_queried"`
	Lookups int                `json:"lookups_per_round"` // each way, half of them of added keys
	Rounds  int                `json:"rounds"`
	HashNS  map[string]float64 `json:"hash_ns_per_key"`
	Rows    []*row             `json:"rows"`

	lines, added, absent [][]byte
	hashes               []keyhash.Hash // that the rows use
}

// row is a policy's part of a table.
type row struct {
	Policy         string  `json:"policy"`
	Keys           int     `json:"keys"`
	Bytes          int     `json:"bytes"`
	BitsPerKey     float64 `json:"bits_per_key"`
	NumProbes      int     `json:"num_probes"`
	Fingerprint    int     `json:"fingerprint_bits,omitempty"` // of linear filters, which have no probes
	FalseNegatives int     `json:"false_negatives"`
	FalsePositives int     `json:"false_positives"`
	Rate           float64 `json:"measured_fpr"`
	Low            float64 `json:"measured_fpr_low"` // to High: the 95 % interval
	High           float64 `json:"measured_fpr_high"`
	Predicted      float64 `json:"predicted_fpr"`
	Estimated      float64 `json:"estimated_fpr"`
	LookupNS       float64 `json:"lookup_ns_alone"`
	BatchNS        float64 `json:"lookup_ns_batched"`
	BuildNS        float64 `json:"build_ns_per_key"`

	policy filterPolicy
	filter filter
	hash   int // which of the table's
}

// compare prints the table of the policies that were named, or of the default
// ones.
func compare(s *settings, out *output) error {
	t, err := newTable(s.keys, s.rows)
	if err != nil {
		return err
	}
	t.Queried = int(1e6*s.mQueries + 0.5)
	out.Table = t
	return t.measure(out)
}

func (t *table) measure(out *output) error {
	fmt.Fprintf(out.text, "%d keys: every second one of the %d distinct lines of %s\n\n", len(t.added), t.Lines, t.Source)
	if err := t.build(out.progress); err != nil {
		return err
	}
	t.countFalsePositives(out.progress)
	t.print(out)
	for _, r := range t.Rows {
		if r.FalseNegatives > 0 {
			return fmt.Errorf("%w: %s lost %d keys", errFalseNegative, r.Policy, r.FalseNegatives)
		}
	}
	return nil
}

// newTable reads the keys and the policies' names.
func newTable(keyFile string, names []string) (t *table, err error) {
	t = &table{Source: keyFile}
	if len(names) == 0 {
		names = defaultRows
	}
	for _, name := range names {
		p, err := policy.Parse(name)
		if err != nil {
			return nil, err
		}
		at := slices.Index(t.hashes, p.Hash())
		if at < 0 {
			at = len(t.hashes)
			t.hashes = append(t.hashes, p.Hash())
		}
		t.Rows = append(t.Rows, &row{Policy: name, policy: parsed{p}, hash: at})
	}
	if keyFile != "" {
		t.lines, err = fileLines(keyFile)
	} else if t.Source, err = goSource(); err == nil {
		t.lines, err = treeLines(t.Source)
		t.Source += "'s Go files"
	}
	if err != nil {
		return nil, err
	}
	t.Lines = len(t.lines)
	if t.Lines < 2 {
		return nil, fmt.Errorf("%s has a single line: none is left to be absent", t.Source)
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

// print writes the table, in at most 100 columns where policies have usual names.
func (t *table) print(out *output) {
	w := tabwriter.NewWriter(out.text, 0, 0, 1, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "policy\tbits/key\tk\tlost\t1 in\tpredicted\tfrom bits\talone\tbatched\tbuild\t\n")
	for _, r := range t.Rows {
		fmt.Fprintf(w, "%s\t%.2f\t%s\t%d\t%s\t%.0f\t%.0f\t%.1f\t%.1f\t%.1f\t\n",
			r.title(), r.BitsPerKey, r.k(), r.FalseNegatives, t.oneIn(r), 1/r.Predicted, 1/r.Estimated,
			r.LookupNS, r.BatchNS, r.BuildNS)
	}
	w.Flush()
	var hashing []string
	for _, hash := range t.hashes {
		hashing = append(hashing, fmt.Sprintf("%s %.1f ns", hash.Name(), t.HashNS[hash.Name()]))
	}
	fmt.Fprintf(out.text, `
k          probes of a lookup, columns of Ribbon filters; "r=15": fingerprints of 15 bits
lost       added keys that the filter does not find: must be 0
1 in       absent keys for one false positive, of %d that were looked up
predicted  the same, by PredictedFPR; from bits: by EstimatedFPR
alone, batched, build
           nanoseconds a key, medians of %d rounds on one CPU. Lookups are of %d hashes,
           half of them of present keys. Hashing a key
           (%s) comes on top, and is part of build.
`, t.Queried, t.Rounds, t.Lookups, strings.Join(hashing, ", "))
	if slices.ContainsFunc(t.Rows, func(r *row) bool { return r.title() != r.Policy }) {
		fmt.Fprintf(out.text, "%s\n           %s, RocksDB's before format_version 5\n", pebblesOwn, legacyPolicy)
	}
}

// title is the policy's name, or what more people know than the legacy filter's.
func (r *row) title() string { return strings.Replace(r.Policy, legacyPolicy, pebblesOwn, 1) }

const pebblesOwn = "Pebble's own format"

// k is what a filter has chosen for its bits per key.
func (r *row) k() string {
	if r.Fingerprint > 0 {
		return fmt.Sprint("r=", r.Fingerprint)
	}
	return fmt.Sprint(r.NumProbes)
}

// oneIn returns the number of absent keys for each false positive.
func (t *table) oneIn(r *row) string {
	if r.FalsePositives == 0 {
		return fmt.Sprint(">", t.Queried)
	}
	return fmt.Sprintf("%.0f", 1/r.Rate)
}
