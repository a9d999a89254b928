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
		{"-key_size=1", "too few for 1000000 keys"},
		{"-prefix_size=17", "-prefix_size must be at most 16"},
		{"-keys_per_prefix=10", "needs a -prefix_size"},
		{"-seek_missing_prefix", "-prefix_size above 8"},
		{"-compression_type=lz4", "Pebble has only [minlz none snappy zstd]"},
		{"-use_existing_db", "needs -db"},
		{"-filter_uri=bloomfilter:10 -bloom_bits=10", "not both"},
		{"-filter_uri=speedb.PairedBlomFilter -bloom_bits=10", "the nearest are speedb.PairedBloomFilter"},
		{"-sync -disable_wal", "write-ahead log"},
		{"fillseq", `"fillseq" is not a flag`},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(c.arg), &stdout, &stderr); status != 2 || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
			t.Errorf("%s: exit status %d, %q", c.arg, status, stderr.String())
		}
	}
}
