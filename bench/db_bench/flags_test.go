package main

import (
	"bytes"
	"io"
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
		{"-num_column_families=2", "must be 1, the only value of Pebble"},
		{"-num_column_families=one", "must be 1, the only value of Pebble"},
		{"-num_levels=6", "must be 7, the only value of Pebble"},
		{"-verify_checksum=0", "must be true, the only value of Pebble"},
		{"-mmap_read", "must be false, the only value of Pebble"},
		{"-memtablerep=speedb.HashSpdRepFactory", "must be skip_list, the only value of Pebble"},
		{"-whole_key_filtering=false", "Pebble's filters have whole keys"},
		{"-whole_key_filtering -prefix_size=8", "Pebble's filters have whole keys"},
		{"-whole_key_filtering=maybe", "invalid"},
		{"-max_write_buffer_number=-1", "must be 0"},
		{"-use_ribbon_filter -bloom_bits=10 -filter_uri=bloomfilter:10", "not both"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(c.arg), &stdout, &stderr); status != 2 || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
			t.Errorf("%s: exit status %d, %q", c.arg, status, stderr.String())
		}
	}
}

func TestFlagsOfWhichPebbleHasOneValue(t *testing.T) {
	for _, f := range fixed {
		s, err := parseSettings([]string{"-" + f.name + "=" + f.value}, io.Discard)
		if err != nil || len(s.notes) != 1 || s.values[f.name] != "" {
			t.Errorf("%s: %v, %q", f.name, err, s.notes)
		}
	}
	for _, args := range []string{
		"-num_column_families 1", "--num_levels=7", "-max_bytes_for_level_multiplier=10.0", "-verify_checksum", "-verify_checksum=1",
		"-use_direct_reads=0", "-mmap_read=False", "-memtable_bloom_size_ratio=0.0", "-memtablerep=skip_list -memtablerep=skip_list",
	} {
		if s, err := parseSettings(strings.Fields(args), io.Discard); err != nil || len(s.notes) != 1 {
			t.Errorf("%s: %v, %q", args, err, s.notes)
		}
	}
}

func TestFlagsThatRocksDBChanges(t *testing.T) {
	for args, right := range map[string]func(s *settings) bool{
		"-max_write_buffer_number=1":                 func(s *settings) bool { return s.maxWriteBufferNumber == 2 && len(s.notes) == 1 },
		"-max_write_buffer_number=0":                 func(s *settings) bool { return s.maxWriteBufferNumber == 2 && len(s.notes) == 1 },
		"-max_write_buffer_number=2":                 func(s *settings) bool { return s.maxWriteBufferNumber == 2 && len(s.notes) == 0 },
		"-compression_type=None":                     func(s *settings) bool { return s.compressionType == "none" },
		"-use_ribbon_filter -bloom_bits=10":          func(s *settings) bool { return s.filter == "ribbonfilter:10" },
		"-use_ribbon_filter":                         func(s *settings) bool { return s.filter == "none" },
		"-use_ribbon_filter=0 -bloom_bits=10":        func(s *settings) bool { return s.filter == "bloomfilter:10" },
		"-whole_key_filtering=1 -bloom_bits=10":      func(s *settings) bool { return s.prefixSize == 0 },
		"-whole_key_filtering=false -prefix_size=12": func(s *settings) bool { return s.prefixSize == 12 },
	} {
		if s, err := parseSettings(strings.Fields(args), io.Discard); err != nil || !right(s) {
			t.Errorf("%s: %v, %+v", args, err, s)
		}
	}
}
