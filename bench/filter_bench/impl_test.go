package main

import (
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestImpls: each number and each title is the policy. The first three numbers are RocksDB's.
func TestImpls(t *testing.T) {
	for i, want := range []string{
		"rocksdb.internal.LegacyBloomFilter:10", "rocksdb.internal.FastLocalBloomFilter:10", "rocksdb.internal.Standard128RibbonFilter:10",
		"speedb.PairedBloomFilter:10", "simdbloom.Linear:10", "leveldb.BuiltinBloomFilter2:10",
		"simdbloom.SplitBlock:10",
	} {
		title := impls[i].title
		for _, value := range []string{strconv.Itoa(i), title, strings.ToLower(title), strings.TrimSuffix(want, ":10")} {
			s, err := parseSettings([]string{"-impl=" + value}, io.Discard)
			if err != nil || s.policy.String() != want {
				t.Errorf("-impl=%s: %v, %v, want %s", value, s.policy, err, want)
			}
		}
	}
}

// TestEveryImplRuns runs all modes of every kind of filter, which has the rate and the size of its format.
func TestEveryImplRuns(t *testing.T) {
	for title, want := range map[string]struct{ bits, percent float64 }{ // about
		"legacy": {10.05, 1.15}, "FastLocal": {10, 0.95}, "Ribbon": {7, 0.95}, "Paired": {10.7, 0.67}, "Linear": {10, 100. / 694}, "LevelDB": {10, 0.95},
		"SplitBlock": {10, 1.26},
	} {
		text := succeed(t, "-impl="+title, "-m_queries=0.1", "-working_mem_size_mb=1")
		figure := func(name string) float64 {
			t.Helper()
			found := regexp.MustCompile(`(?m)^ *` + name + `: (.*)$`).FindStringSubmatch(text)
			if found == nil {
				t.Fatalf("%s: no %s in %s", title, name, text)
			}
			x, err := strconv.ParseFloat(found[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		if stored := figure("Bits/key stored"); math.Abs(stored/want.bits-1) > 0.05 {
			t.Errorf("%s: %v bits/key", title, stored)
		}
		predicted, measured := figure("Predicted FP rate %"), figure("Prelim FP rate %")
		if math.Abs(predicted/want.percent-1) > 0.1 || math.Abs(measured/predicted-1) > 0.3 || measured > figure("Tolerable FP rate %") {
			t.Errorf("%s: predicted %v %%, measured %v %%", title, predicted, measured)
		}
		if modes := strings.Count(text, " net ns/op: "); modes != 18 {
			t.Errorf("%s: %d modes", title, modes)
		}
	}
}
