package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/policy"
)

func inf(sign int) float64 { return math.Inf(sign) }

// succeed runs the command and returns what it prints.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(args, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Fatalf("%q: status %d, %s", args, status, stderr.String())
	}
	return stdout.String()
}

func TestFlagsThatCannotBe(t *testing.T) {
	for args, part := range map[string]string{
		"-vary_key_count_ratio=1.1":           "-vary_key_count_ratio must be >= 0.0 and <= 1.0",
		"-vary_key_count_ratio=NaN":           "-vary_key_count_ratio",
		"-average_keys_per_filter=0":          "-average_keys_per_filter",
		"-average_keys_per_filter=2000000000": "-average_keys_per_filter",
		"-average_keys_per_filter=-1":         "-average_keys_per_filter",
		"-key_size=2000000":                   "-key_size",
		"-batch_size=0":                       "-batch_size",
		"-m_queries=0":                        "-m_queries",
		"-m_queries=NaN":                      "-m_queries",
		"-m_keys_total_max=-1":                "-m_keys_total_max",
		"-working_mem_size_mb=0":              "for ever",
		"-seed=4294967296":                    "-seed",
		"-use_ribbon":                         "not defined",
		"stray":                               "no flag",
		"-table -quick":                       "-quick has no meaning with -table",
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(args), &stdout, &stderr); status != 2 || !strings.Contains(stderr.String(), part) || stdout.Len() > 0 {
			t.Errorf("%s: status %d, %s", args, status, stderr.String())
		}
	}
	for args, part := range map[string]string{
		"-impl=0":                                  "not yet",
		"-impl=2":                                  "not yet",
		"-impl=3":                                  "known are",
		"-impl=leveldb.BuiltinBloomFilter2":        "known are",
		"-bits_per_key=NaN":                        "no number of bits per key",
		"-keys=testdata/nowhere":                   "nowhere",
		"-table -keys=testdata/nowhere":            "nowhere",
		"-table simdbloom.Bloom":                   "missing",
		"-m_queries=0.0001 -working_mem_size_mb=2": "less than one query",
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(args), &stdout, &stderr); status != 1 || !strings.Contains(stderr.String(), part) {
			t.Errorf("%s: status %d, %s", args, status, stderr.String())
		}
	}
}

func TestHelpAndLegend(t *testing.T) {
	if text := succeed(t, "-legend"); !strings.HasPrefix(text, "Legend:\n") {
		t.Error(text)
	}
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-help"}, &stdout, &stderr); status != 0 {
		t.Errorf("status %d", status)
	}
	for _, name := range []string{
		"impl", "bits_per_key", "average_keys_per_filter", "vary_key_count_ratio", "key_size",
		"vary_key_size_log2_interval", "batch_size", "m_queries", "m_keys_total_max", "working_mem_size_mb",
		"allow_bad_fp_rate", "net_includes_hashing", "quick", "best_case", "runs", "seed", "legend", "keys", "json", "table",
	} {
		if !strings.Contains(stderr.String(), "\n  -"+name) {
			t.Errorf("no -%s in the help", name)
		}
	}
}

// numberedLines writes a file of lines, some of them twice, and returns its path.
func numberedLines(t *testing.T, n int) string {
	t.Helper()
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "line %d\nline %d\n", i, i/2)
	}
	path := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestJSONHasTheFiguresOfTheText(t *testing.T) {
	args := []string{"-m_queries=0.1", "-working_mem_size_mb=1", "-runs=2", "-bits_per_key=12", "-keys=" + numberedLines(t, 50_000)}
	var got output
	if err := json.Unmarshal([]byte(succeed(t, append(args, "-json")...)), &got); err != nil {
		t.Fatal(err)
	}
	text := succeed(t, args...)
	if !strings.HasPrefix(text, got.Machine.String()+"\n") {
		t.Errorf("no machine in the first line of %s", text)
	}
	if len(got.Runs) != 2 || got.Runs[1].Seed != 100 || got.Settings["bits_per_key"] != "12" || got.Settings["key_size"] != "24" {
		t.Fatalf("%+v, settings %v", got.Runs, got.Settings)
	}
	for _, r := range got.Runs {
		v := r.Verified
		if r.Keys != 50_000 || len(r.Queries) != 18 || r.BuildNSPerKey <= 0 || r.Policy != "rocksdb.internal.FastLocalBloomFilter:12" {
			t.Errorf("%+v", r)
		}
		for _, line := range []string{
			fmt.Sprintf("Number of filters: %d\n", r.Filters),
			"Bits/key stored: " + six(r.BitsPerKeyStored) + "\n",
			"Predicted FP rate %: " + six(100*r.PredictedFPRate) + "\n",
			" Prelim FP rate %: " + six(100*v.PrelimFPRate) + "\n",
			"    Average FP rate %: " + six(100*r.LastRate.Average) + "\n",
		} {
			if !strings.Contains(text, line) {
				t.Errorf("no %q in the text", line)
			}
		}
		if v.FalsePositives == 0 || math.Abs(v.PrelimFPRate/r.PredictedFPRate-1) > 0.2 {
			t.Errorf("%d false positives, rate %v, predicted %v", v.FalsePositives, v.PrelimFPRate, r.PredictedFPRate)
		}
		skipped := 0
		for _, q := range r.Queries {
			if q.Skipped {
				skipped++
			} else if q.GrossNS <= 0 || q.DryNS <= 0 || q.NetNS != q.GrossNS-q.DryNS {
				t.Errorf("%+v", q)
			}
		}
		if skipped != 9 && r.Filters < 5 || skipped != 3 && r.Filters >= 5 {
			t.Errorf("%d modes skipped with %d filters", skipped, r.Filters)
		}
	}
}

func TestOutsideKeysAreNoLines(t *testing.T) {
	lines, err := fileLines(numberedLines(t, 1000))
	if err != nil || len(lines) != 1000 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	seen := make(map[string]bool)
	for _, line := range lines {
		seen[string(line)] = true
	}
	maker := &lineKeys{lines: lines}
	f := &benchFilter{firstLine: 900, keys: 100}
	for number := range uint32(100) {
		if key := maker.key(f, number); !seen[string(key)] {
			t.Errorf("inside key %q is no line", key)
		}
	}
	for number := range uint32(1000) {
		key := string(maker.key(f, number|outsideBit))
		if seen[key] {
			t.Errorf("outside key %q is a line, or not new", key)
		}
		seen[key] = true
	}
}

// forgetful is a policy whose filters lose one key in 1000.
type forgetful struct{ policy.Policy }

type forgetfulFilter struct{ policy.Filter }

func (p forgetful) Open(data []byte) (policy.Filter, error) {
	f, err := p.Policy.Open(data)
	return forgetfulFilter{f}, err
}

func (f forgetfulFilter) ContainsHash(hash uint64) bool {
	return hash%1000 != 0 && f.Filter.ContainsHash(hash)
}

func (f forgetfulFilter) ContainsHashes(hashes []uint64, hits []bool) {
	for i, hash := range hashes {
		hits[i] = f.ContainsHash(hash)
	}
}

func (f forgetfulFilter) Contains(key []byte) bool { return len(key) != 25 && f.Filter.Contains(key) }

func TestFalseNegativesAreFound(t *testing.T) {
	for _, args := range [][]string{{"-m_queries=0.01"}, {"-m_queries=0.1", "-quick"}} {
		s, err := parseSettings(append(args, "-m_keys_total_max=0.02"), os.Stderr)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.policy()
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := runOnce(s, &output{text: &text, progress: &text}, forgetful{p}, nil, 0); !errors.Is(err, errFalseNegative) {
			t.Errorf("%q: %v\n%s", args, err, text.String())
		}
	}
	tab, err := newTable(numberedLines(t, 20_000), nil)
	if err != nil {
		t.Fatal(err)
	}
	tab.Rows[1].policy = forgetful{tab.Rows[1].policy}
	if err := tab.measure(&output{text: new(bytes.Buffer), progress: new(bytes.Buffer)}); !errors.Is(err, errFalseNegative) {
		t.Errorf("table: %v", err)
	}
}

func TestTableKeepsItsKeysAndItsPromises(t *testing.T) {
	args := []string{"-table", "-m_queries=1", "-keys=" + numberedLines(t, 100_000)}
	var got output
	if err := json.Unmarshal([]byte(succeed(t, append(args, "-json")...)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Table.Asked != 1_000_000 || got.Table.Lines != 100_000 || len(got.Table.Rows) != len(defaultRows) {
		t.Fatalf("%+v", got.Table)
	}
	text := succeed(t, args...)
	for i, r := range got.Table.Rows {
		if r.Policy != defaultRows[i] || r.FalseNegatives != 0 || r.Keys != 50_000 || r.Bytes == 0 || r.NumProbes == 0 ||
			r.LookupNS <= 0 || r.BatchNS <= 0 || r.BuildNS <= 0 {
			t.Errorf("%+v", r)
		}
		if !(r.Low <= r.Rate && r.Rate <= r.High) || r.Low > 1.1*r.Predicted || r.High < r.Predicted/1.1 {
			t.Errorf("%s: %v (%v to %v), predicted %v", r.Policy, r.Rate, r.Low, r.High, r.Predicted)
		}
		if math.Abs(r.Predicted/r.Estimated-1) > 0.1 {
			t.Errorf("%s: predicted %v, from its bits %v", r.Policy, r.Predicted, r.Estimated)
		}
		if line := fmt.Sprintf("%s  50000  %d  ", r.Policy, r.Bytes); !strings.Contains(strings.Join(strings.Fields(text), "  "), line) {
			t.Errorf("no %q in %s", line, text)
		}
	}
}

// TestAbsentKeysAreDifferentAndAbsent looks at all that a small table would ask.
func TestAbsentKeysAreDifferentAndAbsent(t *testing.T) {
	tab, err := newTable(numberedLines(t, 101), []string{"simdbloom.Bloom:10"})
	if err != nil {
		t.Fatal(err)
	}
	if len(tab.added) != 51 || len(tab.absent) != 50 {
		t.Fatalf("%d added, %d absent", len(tab.added), len(tab.absent))
	}
	seen := make(map[string]bool)
	for _, key := range tab.added {
		seen[string(key)] = true
	}
	c := newCounter(tab)
	for from := 0; from < 500; from += 7 {
		c.takeAbsent(from, from+7)
		for _, key := range c.keys {
			if seen[string(key)] {
				t.Errorf("key %q is added or asked twice", key)
			}
			seen[string(key)] = true
		}
	}
}

func TestTreeLines(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	for name, content := range map[string]string{
		"a.go": text.String(), "b/b.go": "line 3\r\nmore\n\nlast", "c.txt": "not Go",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := treeLines(dir)
	if err != nil || len(lines) != 1503 || !slices.EqualFunc(lines[1500:], []string{"more", "", "last"},
		func(line []byte, want string) bool { return string(line) == want }) {
		t.Errorf("%d lines, %v", len(lines), err)
	}
	for _, bad := range []string{filepath.Join(dir, "b"), filepath.Join(dir, "nowhere")} {
		if lines, err := treeLines(bad); err == nil {
			t.Errorf("%s: %d lines", bad, len(lines))
		}
	}
	for _, bad := range []string{filepath.Join(dir, "b"), filepath.Join(dir, "nowhere")} {
		if lines, err := fileLines(bad); err == nil {
			t.Errorf("%s: %d lines", bad, len(lines))
		}
	}
}
