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
)

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
		"-m_keys_total_max=1e-7":              "-m_keys_total_max",
		"-bits_per_key=0.4":                   "-bits_per_key",
		"-bits_per_key=NaN":                   "-bits_per_key",
		"-batch_size=1000000 -key_size=10000": "-batch_size",
		"-impl=6":                             "5 or LevelDB = ",
		"-impl=leveldb.BuiltinBloomFilter":    "the nearest are leveldb.BuiltinBloomFilter2",
		"-m_keys_total_max=-1":                "-m_keys_total_max",
		"-working_mem_size_mb=0":              "for ever",
		"-seed=4294967296":                    "-seed",
		"-use_ribbon":                         "not defined",
		"stray":                               "not a flag",
		"-table -quick":                       "-quick has no meaning with -table",
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(args), &stdout, &stderr); status != 2 || !strings.Contains(stderr.String(), part) || stdout.Len() > 0 {
			t.Errorf("%s: status %d, %s", args, status, stderr.String())
		}
	}
	for args, part := range map[string]string{
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

// TestSettingsAtTheEdge must not hang, panic or fail.
func TestSettingsAtTheEdge(t *testing.T) {
	for _, args := range []string{
		"-m_queries=0.000001 -quick -json -working_mem_size_mb=0.1", // less than a query
		"-m_queries=0.01 -working_mem_size_mb=1e-9 -best_case",      // less than a byte
		"-m_queries=0.01 -working_mem_size_mb=1e-9",
		"-m_queries=0.01 -m_keys_total_max=0.000001", // one key
		"-m_queries=0.01 -m_keys_total_max=0.003 -average_keys_per_filter=1 -vary_key_count_ratio=1",
		"-m_queries=0.001 -m_keys_total_max=0.3 -average_keys_per_filter=10 -allow_bad_fp_rate", // more filters than queries
		"-m_queries=0.01 -m_keys_total_max=0.01 -key_size=0 -batch_size=1",
		"-m_queries=0.01 -m_keys_total_max=0.01 -batch_size=100000",
		"-m_queries=0.01 -m_keys_total_max=0.01 -bits_per_key=1e300",
	} {
		succeed(t, strings.Fields(args)...)
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestOutputThatCannotBeWritten(t *testing.T) {
	for _, args := range []string{"-legend", "-m_queries=0.01 -m_keys_total_max=0.01", "-m_queries=0.01 -m_keys_total_max=0.01 -json"} {
		var stderr bytes.Buffer
		if status := run(strings.Fields(args), full{}, &stderr); status != 1 || !strings.Contains(stderr.String(), "no space") {
			t.Errorf("%s: status %d, %s", args, status, stderr.String())
		}
	}
}

func TestJSONHasTheError(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := run([]string{"-json", "-average_keys_per_filter=10", "-working_mem_size_mb=1", "-m_queries=5"}, &stdout, &stderr)
	var got output
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil || status != 1 || !strings.Contains(got.Error, "rate is bad") || got.Runs[0].Verified.FalsePositives == 0 {
		t.Errorf("status %d, %v, %+v", status, err, got)
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

func TestNegativeTimesAreExplained(t *testing.T) {
	for net, want := range map[float64]string{
		1.5:  "  Single filter net ns/op: 1.5\n",
		-1.5: "  Single filter net ns/op: -1.5 (the dry run took longer: other load disturbed the times)\n",
	} {
		var text strings.Builder
		(&queryReport{Mode: singleFilter.String(), NetNS: net}).print(&text)
		if text.String() != want {
			t.Errorf("%q, want %q", text.String(), want)
		}
	}
}

// TestKeysOfTheUsersDirectory does what "go -C" does to the working directory and PWD.
func TestKeysOfTheUsersDirectory(t *testing.T) {
	keys := numberedLines(t, 1000)
	t.Chdir(t.TempDir())
	t.Setenv("PWD", filepath.Dir(keys))
	text := succeed(t, "-table", "-m_queries=0.01", "-keys="+filepath.Base(keys), "simdbloom.Bloom:10")
	if !strings.Contains(text, "of the 1000 distinct lines of "+keys+"\n") {
		t.Error(text)
	}
}

func TestJSONHasTheFiguresOfTheText(t *testing.T) {
	args := []string{"-m_queries=0.1", "-working_mem_size_mb=1", "-runs=3", "-bits_per_key=12", "-keys=" + numberedLines(t, 50_000)}
	var got output
	if err := json.Unmarshal([]byte(succeed(t, append(args, "-json")...)), &got); err != nil {
		t.Fatal(err)
	}
	text := succeed(t, args...)
	if !strings.HasPrefix(text, got.Machine.String()+"\n") {
		t.Errorf("no machine in the first line of %s", text)
	}
	if len(got.Runs) != 3 || got.Runs[1].Seed != 100 || got.Runs[2].Seed != 200 || got.Settings["bits_per_key"] != "12" || got.Settings["key_size"] != "24" {
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
			} else if want := map[string]float64{"mixed": 0.5, "inside": 0.95, "outside": 0.05}[q.Mix]; q.InsideShare != want || q.GrossNS <= 0 || q.DryNS <= 0 || q.NetNS != q.GrossNS-q.DryNS {
				t.Errorf("%+v", q)
			}
		}
		if skipped != 9 && r.Filters < 5 || skipped != 3 && r.Filters >= 5 {
			t.Errorf("%d modes skipped with %d filters", skipped, r.Filters)
		}
	}
}

// TestLinearFilters runs all modes.
func TestLinearFilters(t *testing.T) {
	args := []string{"-json", "-impl=simdbloom.Linear", "-bits_per_key=10", "-m_queries=0.1", "-working_mem_size_mb=1"}
	var got output
	if err := json.Unmarshal([]byte(succeed(t, args...)), &got); err != nil {
		t.Fatal(err)
	}
	r := got.Runs[0]
	if r.Policy != "simdbloom.Linear:10" || r.BitsPerKeyStored < 9.9 || r.BitsPerKeyStored > 10.1 || len(r.Queries) != 18 {
		t.Errorf("%+v", r)
	}
	if v := r.Verified; r.PredictedFPRate != 1./512 || v.FalsePositives == 0 || math.Abs(v.PrelimFPRate*512-1) > 0.3 || v.PrelimFPRate > v.TolerableFPRate {
		t.Errorf("predicted %v, %+v", r.PredictedFPRate, v)
	}
}

// TestFiltersOfRocksDBsNumbers runs all modes, with the filter's number in RocksDB and by its name.
func TestFiltersOfRocksDBsNumbers(t *testing.T) {
	for _, c := range []struct {
		number, name, recorded string
		bits, rate             float64 // about
	}{
		{"0", legacyPolicy, "rocksdb.internal.LegacyBloomFilter:10", 10.05, 0.0115},
		{"2", "rocksdb.RibbonFilter", "rocksdb.internal.Standard128RibbonFilter:10", 7.0, 0.0095},
	} {
		var rates []float64
		for _, impl := range []string{c.number, c.name} {
			args := []string{"-json", "-impl=" + impl, "-bits_per_key=10", "-m_queries=0.1", "-working_mem_size_mb=1"}
			var got output
			if err := json.Unmarshal([]byte(succeed(t, args...)), &got); err != nil {
				t.Fatal(err)
			}
			r := got.Runs[0]
			if impl == c.number && r.Policy != c.recorded || math.Abs(r.BitsPerKeyStored-c.bits) > 0.05 || len(r.Queries) != 18 {
				t.Errorf("%+v", r)
			}
			if v := r.Verified; v.FalsePositives == 0 || math.Abs(v.PrelimFPRate/r.PredictedFPRate-1) > 0.2 || math.Abs(r.PredictedFPRate/c.rate-1) > 0.05 {
				t.Errorf("predicted %v, %+v", r.PredictedFPRate, v)
			}
			rates = append(rates, r.Verified.PrelimFPRate)
		}
		if rates[0] != rates[1] {
			t.Errorf("%s: rates %v", c.recorded, rates)
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
	if got := string(maker.key(f, 7)); got != "line 907" {
		t.Errorf("key 7 of the lines from 900 on is %q", got)
	}
	if got := string(maker.key(f, 207|outsideBit)); got != "line 907\n2" {
		t.Errorf("outside key 207 of them is %q", got)
	}
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
