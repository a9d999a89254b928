package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom/policy"
)

// legacyPolicy is RocksDB's full filter before format_version 5, which is Pebble's own.
const legacyPolicy = "rocksdb.internal.LegacyBloomFilter"

// impls are the values of -impl besides policies' names. A value is the number in this list, of
// which RocksDB's filter_bench has the first three, or the title.
var impls = []struct{ title, policy, about string }{
	{"legacy", legacyPolicy, "full Bloom filter before format_version 5, Pebble's"},
	{"FastLocal", "rocksdb.internal.FastLocalBloomFilter", "format_version 5 Bloom filter"},
	{"Ribbon", "rocksdb.internal.Standard128RibbonFilter", "Ribbon128 filter"},
	{"Paired", "speedb.PairedBloomFilter", "Speedb's paired block Bloom filter"},
	{"Linear", "simdbloom.Linear", "simdbloom's linear filter"},
	{"LevelDB", "leveldb.BuiltinBloomFilter2", "LevelDB's filter"},
	{"SplitBlock", "simdbloom.SplitBlock", "Parquet's split-block filter"},
}

// implList has the values of -impl, without policies' names.
func implList() string {
	all := make([]string, len(impls))
	for i, impl := range impls {
		all[i] = fmt.Sprintf("%d or %s = %s", i, impl.title, impl.about)
	}
	return strings.Join(all, ", ")
}

// policyName is the policy's name that a value of -impl stands for.
func policyName(value string) string {
	for i, impl := range impls {
		if value == strconv.Itoa(i) || strings.EqualFold(value, impl.title) {
			return impl.policy
		}
	}
	return value
}

func (s *settings) parsePolicy() (filterPolicy, error) {
	name := policyName(s.impl)
	p, err := policy.Parse(name + ":" + strconv.FormatFloat(s.bitsPerKey, 'f', -1, 64))
	if err != nil {
		return nil, fmt.Errorf("-impl=%s: %w, or %s", s.impl, err, implList())
	}
	return parsed{p}, nil
}
