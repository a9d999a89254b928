package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryRowKeepsItsKeysAndItsPromise(t *testing.T) {
	var added, absent [][]byte
	for i := range 20_000 {
		added = append(added, fmt.Appendf(nil, "key %d", i))
		absent = append(absent, fmt.Appendf(nil, "other key %d", i))
	}
	var results []result
	for _, c := range contenders {
		r, err := c.measure(added, absent)
		if err != nil {
			t.Fatal(err)
		}
		if r.falseNegatives != 0 || r.keys != 20_000 || r.asked != 20_000 || r.bytes == 0 || r.probes == 0 {
			t.Errorf("%s: %+v", c.policy, r)
		}
		if low, high := interval(r.falsePositives, r.asked); low > 1.1*r.predictedRate || high < r.predictedRate/1.1 {
			t.Errorf("%s: %d of %d, predicted rate %.3g", c.policy, r.falsePositives, r.asked, r.predictedRate)
		}
		if math.Abs(r.predictedRate/r.estimatedRate-1) > 0.1 {
			t.Errorf("%s: predicted %.3g, from its bits %.3g", c.policy, r.predictedRate, r.estimatedRate)
		}
		results = append(results, r)
	}
	var out strings.Builder
	printTable(&out, results)
	if got := strings.Count(out.String(), "\n"); got != 1+len(contenders) {
		t.Errorf("%d lines:\n%s", got, out.String())
	}
}

func TestDistinctLines(t *testing.T) {
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
	lines, err := distinctLines(dir)
	if err != nil || len(lines) != 1503 || string(lines[1500]) != "more" || string(lines[1501]) != "" || string(lines[1502]) != "last" {
		t.Errorf("%d lines, %v", len(lines), err)
	}
	for _, bad := range []string{filepath.Join(dir, "b"), filepath.Join(dir, "nowhere")} {
		if lines, err := distinctLines(bad); err == nil {
			t.Errorf("%s: %d lines", bad, len(lines))
		}
	}
}

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		hits, tries int
		low, high   float64 // from tables of Wilson's interval
	}{{0, 10, 0, 0.2775}, {5, 10, 0.2366, 0.7634}, {10, 10, 0.7225, 1}, {100, 10_000, 0.00823, 0.01215}} {
		low, high := interval(c.hits, c.tries)
		if math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("%d of %d: %.5f to %.5f, want %.5f to %.5f", c.hits, c.tries, low, high, c.low, c.high)
		}
	}
}
