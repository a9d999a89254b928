package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
)

// mistakeVariable, in the environment of a process that has a store, names a mistake of its policies.
const mistakeVariable = "SIMDBLOOM_DB_STRESS_MISTAKE"

var mistakes = map[string]func(pebble.FilterPolicy) pebble.FilterPolicy{
	"":        sound,
	"losing":  func(p pebble.FilterPolicy) pebble.FilterPolicy { return losing{p} },
	"renamed": func(p pebble.FilterPolicy) pebble.FilterPolicy { return renamed{p} },
	"short":   func(p pebble.FilterPolicy) pebble.FilterPolicy { return short{p} },
}

func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) != "" {
		os.Exit(runWorker(os.Stdin, os.Stdout, os.Stderr, mistakes[os.Getenv(mistakeVariable)]))
	}
	os.Exit(m.Run())
}

// losing says no for keys with a 7, and for prefixes with one.
type losing struct{ pebble.FilterPolicy }

func (p losing) MayContain(ftype pebble.FilterType, filter, key []byte) bool {
	return !bytes.ContainsRune(key, '7') && p.FilterPolicy.MayContain(ftype, filter, key)
}

// renamed records Pebble's filters as the library's policy of the same bytes.
type renamed struct{ pebble.FilterPolicy }

func (p renamed) Name() string {
	return strings.Replace(p.FilterPolicy.Name(), pebbleName, "simdbloom.Legacy.RocksDB32", 1)
}

// short cuts off the last byte of filters, which may contain every key then.
type short struct{ pebble.FilterPolicy }

type shortWriter struct{ pebble.FilterWriter }

func (p short) NewWriter(ftype pebble.FilterType) pebble.FilterWriter {
	return shortWriter{p.FilterPolicy.NewWriter(ftype)}
}

func (w shortWriter) Finish(dst []byte) []byte {
	dst = w.FilterWriter.Finish(dst)
	return dst[:len(dst)-1]
}

func TestAFewKills(t *testing.T) {
	db := filepath.Join(t.TempDir(), "store")
	args := []string{
		"-db=" + db, "-seed=7", "-kills=4", "-kill_interval=100ms", "-max_key=2000", "-threads=2",
		"-corrupt_one_in=1", "-read_fault_one_in=100", "-compact_range_one_in=100",
	}
	var stdout, stderr bytes.Buffer
	if status := run(args, &stdout, &stderr); status != 0 {
		t.Fatalf("exit status %d: %s%s", status, stdout.Bytes(), stderr.Bytes())
	}
	for _, c := range []struct {
		pattern string
		least   int
	}{
		{`^seed (\d+)\n`, 7},
		{`killed (\d+) times`, 4},
		{`operations +(\d+)`, 1},
		{`policies +(\d+) changes`, 4},
		{`corruptions +(\d+) filter`, 0},
		{`keys verified +(\d+)`, 2000},
	} {
		found := regexp.MustCompile(c.pattern).FindSubmatch(stdout.Bytes())
		if found == nil {
			t.Errorf("no %s in\n%s", c.pattern, stdout.Bytes())
		} else if n, err := strconv.Atoi(string(found[1])); err != nil || n < c.least {
			t.Errorf("%s: fewer than %d", found[0], c.least)
		}
	}
	if !strings.HasSuffix(stdout.String(), "lost or wrong  0\n") {
		t.Errorf("ends in %q", stdout.String()[max(0, stdout.Len()-40):])
	}

	// The store was kept, since it was named. It can be verified, and gone on with.
	stdout.Reset()
	if status := run([]string{"-db=" + db, "-verification_only"}, &stdout, &stderr); status != 0 {
		t.Fatalf("exit status %d: %s%s", status, stdout.Bytes(), stderr.Bytes())
	}
	if want := "keys verified  2000,"; !strings.Contains(stdout.String(), want) {
		t.Errorf("no %q in\n%s", want, stdout.Bytes())
	}
	if err := os.Remove(db + ".expected"); err != nil {
		t.Fatal(err)
	}
	if status := run([]string{"-db=" + db, "-kills=1"}, &stdout, &stderr); status != 1 {
		t.Errorf("exit status %d without the expected state", status)
	}
}

func TestMistakesAreFound(t *testing.T) {
	for _, c := range []struct {
		mistake, policy string
		prefixSize      int
		found           []string
	}{
		{"losing", "simdbloom.FastLocal:10", 0, []string{"key \"", "by ", ".sst, filter \"simdbloom.FastLocal.XX64\"", "policies simdbloom.FastLocal:10"}},
		{"losing", "simdbloom.FastLocal:10", 4, []string{"key \"", "by ", ".sst, filter \"simdbloom.FastLocal.XX64\"", "policies simdbloom.FastLocal:10"}},
		{"renamed", "Legacy:10", 0, []string{"records a filter of \"simdbloom.Legacy.RocksDB32\""}},
		{"short", "rocksdb.internal.LegacyBloomFilter:10", 0, []string{"with a filter of \"simdbloom.Legacy.RocksDB32\""}},
	} {
		t.Run(fmt.Sprint(c.mistake, c.prefixSize), func(t *testing.T) {
			t.Setenv(mistakeVariable, c.mistake)
			db := filepath.Join(t.TempDir(), "store")
			args := []string{
				"-db=" + db, "-kills=50", "-kill_interval=100ms", "-max_key=2000", "-threads=2", "-corrupt_one_in=0",
				"-filter_uri=" + c.policy, fmt.Sprint("-prefix_size=", c.prefixSize),
			}
			var stdout, stderr bytes.Buffer
			if status := run(args, &stdout, &stderr); status != 1 {
				t.Fatalf("exit status %d: %s%s", status, stdout.Bytes(), stderr.Bytes())
			}
			for _, want := range append(c.found, db, "seed ") {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("no %q in\n%s", want, stderr.Bytes())
				}
			}
			if !strings.HasSuffix(stdout.String(), "lost or wrong  1\n") {
				t.Errorf("ends in %q", stdout.String()[max(0, stdout.Len()-40):])
			}
			if _, err := os.Stat(filepath.Join(db, "LOCK")); err != nil {
				t.Error("the store was not kept")
			}
		})
	}
}

func TestSettingsThatAreRefused(t *testing.T) {
	for _, c := range []struct{ args, said string }{
		{"-filter_uri=speedb.PairedBlomFilter", "the nearest are speedb.PairedBloomFilter"},
		{"-filter_uri=Pebble:0.5", "whole numbers"},
		{"-filter_uri=Pebble -bloom_bits=0.5", "whole numbers"},
		{"-filter_uri=bloomfilter:10 -bloom_bits=10", "not both"},
		{"-max_key=3", "-max_key must be at least 4"},
		{"-kill_interval=0s", "-kill_interval"},
		{"-verification_only", "-db"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(c.args), &stdout, &stderr); status != 2 || !strings.Contains(stderr.String(), c.said) {
			t.Errorf("%s: exit status %d, %q", c.args, status, stderr.String())
		}
	}
}

func TestKindOfAnObject(t *testing.T) {
	if k := kindOf("{id={ribbonfilter:10};bloom_before_level=2}"); k.recorded != "simdbloom.Ribbon.XXPH3" {
		t.Errorf("%+v", k)
	}
}

func TestBloomBits(t *testing.T) {
	for args, want := range map[string]string{
		"":                "random",
		"-bloom_bits=9.5": "bloomfilter:9.5",
		"-bloom_bits=23.4 -filter_uri=speedb.PairedBloomFilter": "speedb.PairedBloomFilter:23.4",
		"-filter_uri=ribbonfilter:10":                           "ribbonfilter:10",
		"-filter_uri=speedb.PairedBloomFilter":                  "speedb.PairedBloomFilter:10",
		"-filter_uri=Pebble -bloom_bits=-1":                     "Pebble:10",
		"-filter_uri=ribbonfilter -bloom_bits=0":                "ribbonfilter:10",
		"-filter_uri=Paired:23.4 -bloom_bits=-1":                "Paired:23.4",
		"-filter_uri=none":                                      "none",
		"-bloom_bits=-1":                                        "random",
	} {
		if s, err := parseSettings(strings.Fields(args), io.Discard); err != nil || s.filterURI != want {
			t.Errorf("%s: %+v, %v", args, s, err)
		}
	}
}

func TestASeedRepeatsItsChoices(t *testing.T) {
	plans := func() (texts []string) {
		d := &driver{settings: &settings{filterURI: random}, random: generator(3, 0)}
		for range 50 {
			texts = append(texts, d.nextPlan().String())
		}
		if d.totals.policyChanges < 40 || len(d.totals.policies) < 20 {
			t.Errorf("%d changes, %d policies", d.totals.policyChanges, len(d.totals.policies))
		}
		return texts
	}
	first := strings.Join(plans(), "\n")
	if first != strings.Join(plans(), "\n") {
		t.Error("not the same")
	}
	for _, kind := range kinds {
		for _, text := range kind.texts {
			if name, _, _ := strings.Cut(text, ":"); !strings.Contains(first, name) {
				t.Errorf("never %s", name)
			}
		}
	}
}
