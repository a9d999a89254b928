package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestFewKeysAndManyLater: of few keys the smallest filter has a low rate with hardly any bits per key. A layer of more keys,
// which gets the same setting, must have the rate that was asked for.
func TestFewKeysAndManyLater(t *testing.T) {
	const fpr, layers, keys = 1e-4, 2, 30_000
	for _, format := range append(formatNames(), "speedb.PairedBloomFilter", "rocksdb.BloomFilter") {
		folder := t.TempDir()
		must(t, folder, "first\n", "build -quiet -fpr=1e-4 -format="+format+" -o {}/set")
		must(t, folder, lines(0, keys), "build -quiet -add -o {}/set")
		var f facts
		if err := json.Unmarshal([]byte(must(t, folder, "", "info -json {}/set")), &f); err != nil {
			t.Fatal(err)
		}
		if f.Keys != keys+1 || f.PredictedFPR > 1.05*layers*fpr {
			t.Errorf("%s: %d keys, rate %v", format, f.Keys, f.PredictedFPR)
		}
	}
}

// TestWhyTheRateIsHigher: a small -memory makes parts, whose rates differ from that of one filter.
func TestWhyTheRateIsHigher(t *testing.T) {
	status, _, stderr := call(t, t.TempDir(), lines(0, 200_000), "build -fpr=1e-6 -memory=16MiB -o {}/set")
	if want := "because -memory divides the set into 2 parts"; status != 0 || !strings.Contains(stderr, want) {
		t.Errorf("status %d: %s", status, stderr)
	}
}
