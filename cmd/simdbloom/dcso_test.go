package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/dcso"
)

// TestDCSOFilters: info, check and verify read filters of DCSO's tools, by the rule that was found or given, and in gzip.
func TestDCSOFilters(t *testing.T) {
	folder := t.TempDir()
	put := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for rule := dcso.Multiply; rule <= dcso.Added; rule++ {
		empty, err := dcso.New(20_000, 0.001)
		if err != nil {
			t.Fatal(err)
		}
		m := empty.Filter().WithRule(rule).MutableCopy()
		for i := range 20_000 {
			m.AddString(fmt.Sprint(i))
		}
		put(rule.String(), m.Bytes())
		given := ""
		if rule == dcso.MultiplyWide {
			given = "-rule=multiply-wide "
		}
		if got := must(t, folder, lines(0, 20_000), "check "+given+"{}/"+rule.String()); got != lines(0, 20_000) {
			t.Errorf("%v: %d bytes", rule, len(got))
		}
		if got := must(t, folder, lines(15_000, 15_000), "check -v -count "+given+"{}/"+rule.String()); got < "9970" || got > "9999" {
			t.Errorf("%v: %s absent keys", rule, got)
		}
		var f facts
		if err := json.Unmarshal([]byte(must(t, folder, "", "info -json -estimate {}/"+rule.String())), &f); err != nil || f.Kind != dcsoKind || f.Keys != int64(m.Filter().Keys()) ||
			f.PredictedFPR < 0.0008 || f.PredictedFPR > 0.0012 || f.Capacity != 20_000 || f.CapacityFPR != 0.001 || f.Probes != 10 || rule != dcso.MultiplyWide && f.Rule != rule.String() {
			t.Errorf("%v: %+v, %v", rule, f, err)
		}
		must(t, folder, "", "verify {}/"+rule.String())
	}
	for _, name := range []string{"multiply.bloom", "multiply.bloom.gz", "seeded.bloom"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "dcso", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		put(name, data)
		if got := must(t, folder, "key7\nkey77\n", "check {}/"+name); got != "key7\n" {
			t.Errorf("%s: %s", name, got)
		}
		if text := must(t, folder, "", "info {}/"+name); !strings.Contains(text, "kind           DCSO filter") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestCorruptDCSOFilters(t *testing.T) {
	folder := t.TempDir()
	m, err := dcso.New(100, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	whole := m.Bytes()
	nan := bytes.Clone(whole)
	copy(nan[16:], []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f})
	for says, data := range map[string][]byte{"too short for 958 bits": whole[:100], "not NaN": nan, "gzip": append([]byte{0x1f, 0x8b, 8, 0xff}, whole...)} {
		if err := os.WriteFile(filepath.Join(folder, "a"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"info", "check", "verify"} {
			status, stdout, stderr := call(t, folder, "key\n", command+" {}/a")
			if status == 0 || stdout != "" || !strings.Contains(stderr, says) || strings.Contains(stderr, "dcso:") {
				t.Errorf("%s, %s: %d\n%s%s", command, says, status, stdout, stderr)
			}
		}
	}
	changed := bytes.Clone(whole)
	changed[24]++ // k
	if err := os.WriteFile(filepath.Join(folder, "a"), changed, 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := call(t, folder, "", "verify {}/a"); status != 1 || !strings.Contains(stderr, "k is 8, but 100 keys") {
		t.Errorf("%d, %s", status, stderr)
	}
	must(t, folder, lines(0, 10), "build -quiet -fpr=0.01 -o {}/set")
	for args, says := range map[string]string{"-rule=x {}/a": "unknown rule", "-rule=added {}/set": "not a DCSO filter"} {
		if status, _, stderr := call(t, folder, "", "check "+args); status != 2 || !strings.Contains(stderr, says) {
			t.Errorf("%s: %d, %s", args, status, stderr)
		}
	}
}
