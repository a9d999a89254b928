package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// times matches what differs from run to run, and our explanation of a negative time.
var times = regexp.MustCompile(`^(Build avg ns/key|Reported .*|    Gross filter    ns/op|    Dry run \([0-9a-f]+\) ns/op|  .* net ns/op): -?([0-9.e+-]+)(%?)(?: \(the dry run .*\))?$`)

// TestReadsLikeSpeedbs compares with what Speedb's own filter_bench printed: every
// line, every rate, every count. Only times and allocated memory differ.
//
// testdata has its output, with the flags before it and the exit status behind, of
// Speedb 2.8.0 (commit 8d850b666, RocksDB 8.6.7), built on amd64 with
// "make DEBUG_LEVEL=0 OPTIMIZE_LEVEL=-O1 filter_bench".
func TestReadsLikeSpeedbs(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			if testing.Short() && dear.MatchString(t.Name()) {
				t.Skip("takes seconds")
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
			args := strings.Fields(lines[0])[2:]
			succeeds := lines[len(lines)-1] == "# exit status 0"
			want := lines[1 : len(lines)-1]

			var stdout, stderr bytes.Buffer
			if status := run(args, &stdout, &stderr); status != 0 && status != 1 || (status == 0) != succeeds {
				t.Fatalf("status %d: %s", status, stderr.String())
			}
			var got []string
			for i, line := range strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n") {
				if i == 0 || strings.HasPrefix(line, "Predicted FP rate %: ") {
					continue // ours alone
				}
				got = append(got, line)
			}
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) {
					t.Fatalf("%d lines, Speedb's has %d", len(got), len(want))
				}
				if untimed(got[i]) != untimed(want[i]) {
					t.Errorf("line %d: %q, Speedb's %q", i+1, got[i], want[i])
				}
			}
		})
	}
}

// dear are runs whose flags others have, too, with fewer queries.
var dear = regexp.MustCompile("/(bad_rate_allowed|fastlocal|paired)$")

// untimed puts a # for a time. The time of a mode that is skipped is 0, though.
func untimed(line string) string {
	m := times.FindStringSubmatch(line)
	if m == nil || m[2] == "0" {
		return line
	}
	return m[1] + ": #" + m[3]
}

// The settings of testdata/bad_rate.txt: ten keys in a block of 512 bits, with the
// probes for 10 bits a key.
func TestBadRateIsExplained(t *testing.T) {
	args := []string{"-average_keys_per_filter=10", "-working_mem_size_mb=1", "-m_queries=5"}
	var stdout, stderr bytes.Buffer
	if status := run(args, &stdout, &stderr); status != 1 {
		t.Errorf("status %d", status)
	}
	for _, part := range []string{
		"0.000440016 %", "55.1293 bits/key", "3.08262e-05 % is tolerable", "predicted: 0.00045",
		"1. ", "-average_keys_per_filter", "2. ", "-seed", "3. ", "-allow_bad_fp_rate",
	} {
		if !strings.Contains(stderr.String(), part) {
			t.Errorf("no %q in %q", part, &stderr)
		}
	}
}
