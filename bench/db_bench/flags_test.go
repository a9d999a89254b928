package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestFlagsThatAreRefused(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"-benchmarks=fillsequentially", "unknown benchmark 'fillsequentially': there are fillseq,fillbatch"},
		{"-universal_size_ratio=1", "-help lists the flags"},
		{"-filter_uri=speedb.PairedBloomFilter", "bits per key are missing"},
		{"-filter_uri=speedb.PairedBlomFilter:10", "the nearest are speedb.PairedBloomFilter"},
		{"-filter_uri=Pebble:9.5", "whole numbers"},
		{"-num=0", "-num must be"},
		{"-num=many", "invalid value"},
		{"-threads=0", "-threads must be"},
		{"-key_size=1", "too few for 1000000 keys"},
		{"-prefix_size=17", "-prefix_size must be 0 to 16"},
		{"-keys_per_prefix=10", "needs a -prefix_size"},
		{"-seek_missing_prefix", "-prefix_size above 8"},
		{"-prefix_size=4 -reverse_iterator", "have no Prev"},
		{"-compression_type=lz4", "Pebble has only [minlz none snappy zstd]"},
		{"-compression_ratio=0", "-compression_ratio must be"},
		{"-use_existing_db", "needs -db"},
		{"-filter_uri=bloomfilter:10 -bloom_bits=10", "not both"},
		{"-use_ribbon_filter", "needs -bloom_bits"},
		{"-sync -disable_wal", "write-ahead log"},
		{"fillseq", `"fillseq" is not a flag`},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(c.arg), &stdout, &stderr); status != 2 || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
			t.Errorf("%s: exit status %d, %q", c.arg, status, stderr.String())
		}
	}
}

func TestFilterThatCannotBeMade(t *testing.T) {
	var stdout, stderr bytes.Buffer
	run([]string{"-filter_uri=speedb.PairedBloomFilter"}, &stdout, &stderr)
	const want = "failure creating filter policy[speedb.PairedBloomFilter]: Not implemented: Could not load FilterPolicy: speedb.PairedBloomFilter"
	if line, _, _ := strings.Cut(stderr.String(), "\n"); line != want {
		t.Errorf("%q", stderr.String())
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-help"}, &stdout, &stderr); status != 0 {
		t.Errorf("exit status %d", status)
	}
	for _, b := range benchmarks {
		if !strings.Contains(stderr.String(), "  "+b.name+" ") {
			t.Errorf("help has no %s", b.name)
		}
	}
}
