package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/dcso"
)

// TestDCSOFilters: info, check and verify read filters of DCSO's tools, by the rules that were found or given, and in
// gzip.
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
			f.PredictedFPR < 0.0008 || f.PredictedFPR > 0.0012 || f.Capacity != 20_000 || f.CapacityFPR != 0.001 || f.Probes != 10 || f.Rule != "multiply" || f.MaybeRule != map[dcso.Rule]string{dcso.Added: "added"}[rule] {
			t.Errorf("%v: %+v, %v", rule, f, err)
		}
		must(t, folder, "", "verify {}/"+rule.String())
	}
	none, err := dcso.New(100, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	put("empty", none.Bytes())
	if got := must(t, folder, "", "info -json {}/empty"); !strings.Contains(got, `"keys":0,`) || strings.Contains(got, "bits_per_key") || strings.Contains(got, "predicted_fpr") {
		t.Errorf("an empty filter: %s", got)
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

// TestMistakenRules has filters of the rule Multiply whose bits look like Added's, since their keys resemble each
// other: check misses no key.
func TestMistakenRules(t *testing.T) {
	folder := t.TempDir()
	mistaken := 0
	number := func(key []byte, i int) []byte { return binary.BigEndian.AppendUint32(key, uint32(i)) }
	sequences := map[string]func(int) []byte{
		"%04x":            func(i int) []byte { return fmt.Appendf(nil, "%04x", i) },
		"16 bits":         func(i int) []byte { return number(nil, i)[2:] },
		"24 bits":         func(i int) []byte { return number(nil, i)[1:] },
		"32 bits":         func(i int) []byte { return number(nil, i) },
		"64 bits":         func(i int) []byte { return number(make([]byte, 4), i) },
		"128 bits":        func(i int) []byte { return number(make([]byte, 12), i) },
		"64 bits, little": func(i int) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(i)) },
		"10.x.y.z":        func(i int) []byte { return number(nil, 10<<24+i) },
	}
	for _, c := range []struct {
		capacity uint64
		keys     int
		rate     float64
	}{{4000, 2000, 0.3}, {700, 700, 0.01}, {50_000, 50_000, 0.01}, {1500, 1000, 0.1}} {
		for name, key := range sequences {
			m, err := dcso.New(c.capacity, c.rate)
			if err != nil {
				t.Fatal(err)
			}
			var keys []byte
			for i := range c.keys {
				m.Add(key(i))
				keys = append(keys, key(i)...)
			}
			if err := os.WriteFile(filepath.Join(folder, "a"), m.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			size := len(keys) / c.keys
			if got := must(t, folder, string(keys), fmt.Sprintf("check -size=%d -count {}/a", size)); got != fmt.Sprintln(c.keys) {
				t.Errorf("%s, %+v: %s", name, c, got)
			}
			if m.Filter().DetectRule() == dcso.Multiply {
				continue
			}
			mistaken++
			if text := must(t, folder, "", "info {}/a"); !strings.Contains(text, "multiply, or perhaps added\n") {
				t.Errorf("%s, %+v: %s", name, c, text)
			}
			// -rule is obeyed.
			if _, got, _ := call(t, folder, string(keys), fmt.Sprintf("check -rule=added -size=%d -count {}/a", size)); got == fmt.Sprintln(c.keys) {
				t.Errorf("%s, %+v: all keys by the rule added", name, c)
			}
		}
	}
	if mistaken < 2 {
		t.Errorf("%d filters look like Added's", mistaken)
	}
	t.Log(mistaken, "filters look like Added's")
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
}
