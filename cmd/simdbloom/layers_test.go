package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestFewKeysAndManyLater: of few keys the smallest filter has a low rate with hardly any bits per key. A layer of more
// keys, which gets the same setting, must have the rate that was asked for.
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

// TestFileOfOneKey: it has the fewest bits per key that have the rate for one key.
func TestFileOfOneKey(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, "only\n", "build -quiet -file -format=fastlocal -fpr=1e-6 -o {}/one")
	var f facts
	if err := json.Unmarshal([]byte(must(t, folder, "", "info -json {}/one")), &f); err != nil || f.PredictedFPR > 1e-6 || f.PredictedFPR < 1e-7 {
		t.Errorf("rate %v, %v", f.PredictedFPR, err)
	}
}

const few = 200_000 // keys, for whose hashes the least -memory has room

// TestRateOfParts: a small -memory makes parts, whose rates differ from that of one filter.
func TestRateOfParts(t *testing.T) {
	status, _, stderr := call(t, t.TempDir(), lines(0, few), "build -fpr=1e-6 -memory=16MiB -o {}/set")
	if status != 0 || !strings.Contains(stderr, "The rate is above -fpr, because -memory divides the set into 2 parts: give more.\n") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// TestWhyTheRateIsHigher: parts are the reason only if the number of keys was known.
func TestWhyTheRateIsHigher(t *testing.T) {
	const many = 1_100_000
	all := lines(0, many)
	for _, c := range []struct {
		keys, flag, want string
	}{
		{all, "-keys=1100000", "because -memory divides the set into"},
		{all, "-keys=1050000", "because there are more keys than -keys."},
		{all, "-keys=1", "because there are more keys than -keys."},
		{all, "", "because the number of keys was not known: give -keys."},
	} {
		status, _, stderr := call(t, t.TempDir(), c.keys, "build -fpr=1e-6 -memory=16MiB "+c.flag+" -o {}/set")
		if status != 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%d bytes, %q: status %d: %s", len(c.keys), c.flag, status, stderr)
		}
	}
}

// TestLongLists: a set whose builder began before the last key was read has all keys.
func TestLongLists(t *testing.T) {
	folder, all := t.TempDir(), lines(0, 1<<20+100_000)
	must(t, folder, all, "build -quiet -bits=10 -memory=16MiB -o {}/set")
	if found := must(t, folder, all, "check {}/set"); found != all {
		t.Errorf("%d bytes of lines are found, of %d", len(found), len(all))
	}
}

// TestNothingAboutTheRate: nothing is said of a rate that is as low as -fpr, or was not asked for.
func TestNothingAboutTheRate(t *testing.T) {
	folder := t.TempDir()
	for _, arguments := range []string{"-fpr=1e-3 -o {}/rate", "-bits=10 -o {}/bits", "-fpr=1e-3 -add -o {}/bits", "-fpr=1e-3 -file -o {}/file"} {
		status, _, stderr := call(t, folder, lines(0, 1000), "build "+arguments)
		if status != 0 || !strings.Contains(stderr, "1,000 keys") && !strings.Contains(stderr, "2,000 keys") || strings.Contains(stderr, "The rate") {
			t.Errorf("%s: status %d: %s", arguments, status, stderr)
		}
	}
}

// TestChoose: the bits per key are the fewest that have the rate with all numbers of keys that a part or a layer may
// have.
func TestChoose(t *testing.T) {
	const many = 4 * partKeys
	for _, format := range formatNames() {
		for _, fpr := range []float64{0.01, 1e-3, 1e-6} {
			bits := func(file bool, expected int64) float64 {
				c := &buildCommand{format: format, fpr: rate(fpr), file: file}
				p, err := c.choose(expected)
				if err != nil || c.policy != p {
					t.Fatalf("%s, %v, %d keys: %v", format, fpr, expected, err)
				}
				return p.BitsPerKey()
			}
			least := func(numbers ...int) (most float64) {
				for _, n := range numbers {
					p, err := policyForRate(format, fpr, n)
					if err != nil {
						t.Fatal(err)
					}
					if most = max(most, p.BitsPerKey()); p.PredictedFPR(n) > fpr {
						t.Errorf("%s, %v, %d keys: rate %v", format, fpr, n, p.PredictedFPR(n))
					}
				}
				return most
			}
			for _, c := range []struct {
				file      bool
				expected  int64
				got, want float64
			}{
				{false, 0, bits(false, 0), least(partKeys/2, partKeys)},
				{false, many, bits(false, many), least(partKeys/2, partKeys)},
				{false, partKeys, bits(false, partKeys), least(partKeys)},
				{false, 1, bits(false, 1), least(1, partKeys)},
				{true, 1, bits(true, 1), least(1)},
				{true, many, bits(true, many), least(many)},
			} {
				if c.got != c.want {
					t.Errorf("%s, %v, file %v, %d keys: %v bits per key, want %v", format, fpr, c.file, c.expected, c.got, c.want)
				}
			}
		}
	}
}

// TestPolicyForRate: Speedb's batches have another rate than their setting is for.
func TestPolicyForRate(t *testing.T) {
	p, err := policyForRate("speedb.PairedBloomFilter", 0.05, 1000, 100_000)
	if err != nil || p.PredictedFPR(1000) > 0.05 || p.PredictedFPR(100_000) > 0.05 {
		t.Errorf("%v, %v", p, err)
	}
}

// TestRateThatOnlyFewKeysHave: a set of few keys may have a rate that the format does not have with many.
func TestRateThatOnlyFewKeysHave(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, lines(0, 10), "build -quiet -fpr=1e-7 -format=splitblock -o {}/few")
	var f facts
	if err := json.Unmarshal([]byte(must(t, folder, "", "info -json {}/few")), &f); err != nil || f.PredictedFPR > 1e-7 {
		t.Errorf("rate %v, %v", f.PredictedFPR, err)
	}
	// Of keys that come through a pipe, the number is known at the end.
	status, _, stderr := call(t, folder, lines(0, 1000), "build -quiet -fpr=1e-9 -format=splitblock -o {}/many")
	if status != badArguments || !strings.Contains(stderr, "-format=splitblock cannot have the rate 1e-09") || !strings.Contains(stderr, "-keys=1000") {
		t.Errorf("status %d: %s", status, stderr)
	}
	must(t, folder, "a\n", "build -quiet -bits=0.7 -o {}/bits")
	for rate, want := range map[float64]string{2.33e-10: `"simdbloom size -keys=1 -fpr=2.33e-10" lists`, 3e-13: "no format can have the rate 3e-13"} {
		if _, err := policyForRate("splitblock", rate, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", rate, err)
		}
	}
}
