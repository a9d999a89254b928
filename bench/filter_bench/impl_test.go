package main

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"testing"
)

// TestImpls: each number and each title is the policy. The first three numbers are RocksDB's.
func TestImpls(t *testing.T) {
	for i, want := range []string{
		"rocksdb.internal.LegacyBloomFilter:10", "rocksdb.internal.FastLocalBloomFilter:10", "rocksdb.internal.Standard128RibbonFilter:10",
		"speedb.PairedBloomFilter:10", "simdbloom.Linear:10", "leveldb.BuiltinBloomFilter2:10",
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

// TestEveryImplRuns builds filters of every kind and looks for all their keys.
func TestEveryImplRuns(t *testing.T) {
	for _, impl := range impls {
		var got output
		text := succeed(t, "-json", "-impl="+impl.title, "-m_queries=0.05", "-m_keys_total_max=0.02")
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		r := got.Runs[0]
		if v := r.Verified; len(r.Queries) != 18 || v == nil || v.PrelimFPRate <= 0 || v.PrelimFPRate > v.TolerableFPRate || r.BuildNSPerKey <= 0 {
			t.Errorf("%s: %+v, %+v", impl.title, r, v)
		}
	}
}
