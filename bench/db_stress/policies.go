package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	root "github.com/simdbloom/simdbloom"
	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bench/internal/pebblefilter"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// levelPolicy is the policy of a level's tables.
type levelPolicy struct {
	Text string // as pebblefilter.Parse reads it
	// Options of the builder, for policies of this library.
	Verification, RoundDown bool `json:",omitempty"`
	Concurrency, MaxBytes   int  `json:",omitempty"`
	ForRocksDB              bool `json:",omitempty"` // the tables record the name that RocksDB knows
}

func (p levelPolicy) String() string {
	text := p.Text
	for _, option := range []struct {
		on   bool
		name string
	}{
		{p.Verification, "verification"},
		{p.RoundDown, "round down"},
		{p.Concurrency > 0, "concurrency " + strconv.Itoa(p.Concurrency)},
		{p.MaxBytes > 0, fmt.Sprintf("max %d bytes", p.MaxBytes)},
		{p.ForRocksDB, "for RocksDB"},
	} {
		if option.on {
			text += "+" + option.name
		}
	}
	return text
}

// parse returns the policy for a level's tables, nil for none.
func (p levelPolicy) parse(level int) (pebble.FilterPolicy, error) {
	options := append(p.options(), policy.WithLevel(level))
	if !p.ForRocksDB {
		return pebblefilter.Parse(p.Text, options...)
	}
	parsed, err := policy.Parse(p.Text)
	if err != nil {
		return nil, err
	}
	return simdbloom.ForRocksDB(parsed, pebble.DefaultComparer, options...), nil
}

// recorded is the name that tables record.
func (p levelPolicy) recorded() string {
	if p.ForRocksDB {
		return pebbleName
	}
	return kindOf(p.Text).recorded
}

// options are the builder's.
func (p levelPolicy) options() (options []root.Option) {
	if p.Verification {
		options = append(options, root.WithVerification())
	}
	if p.RoundDown {
		options = append(options, building.WithRoundDown)
	}
	if p.Concurrency > 0 {
		options = append(options, root.WithConcurrency(p.Concurrency))
	}
	if p.MaxBytes > 0 {
		options = append(options, root.WithMaxBytes(p.MaxBytes))
	}
	return options
}

// policyKind is the kind of filters of tables that record one name.
type policyKind struct {
	recorded string
	format   root.Format
	hash     keyhash.Hash
	texts    []string // of the policies with that name; %s is the bits per key
}

const pebbleName = "rocksdb.BuiltinBloomFilter"

// kinds lists the kinds of all policies. The library's own list is not used here: it could have a mistake, such
// as one name for two of them.
var kinds = []policyKind{
	{texts: []string{"none"}},
	{pebbleName, root.Legacy, keyhash.RocksDB32, []string{"Pebble:%s", "Legacy:%s"}},
	{"simdbloom.FastLocal.XX64", root.FastLocal, keyhash.XX64, []string{"FastLocal:%s", "simdbloom.FastLocal:%s"}},
	{"simdbloom.Paired128.XX64", root.Paired, keyhash.XX64, []string{"Paired:%s", "simdbloom.Paired:%s"}},
	{"simdbloom.Linear.XX64", root.Linear, keyhash.XX64, []string{"Linear:%s", "simdbloom.Linear:%s"}},
	{"simdbloom.Ribbon.XX64", root.Ribbon, keyhash.XX64, []string{"Ribbon:%s", "simdbloom.Ribbon:%s"}},
	{"simdbloom.SplitBlock.XX64", root.SplitBlock, keyhash.XX64, []string{"SplitBlock:%s", "simdbloom.SplitBlock:%s"}},
	{"simdbloom.FastLocal.XXPH3", root.FastLocal, keyhash.XXPH3, []string{
		"rocksdb.BloomFilter:%s", "bloomfilter:%s:false", "rocksdb.internal.FastLocalBloomFilter:%s",
	}},
	{"simdbloom.Ribbon.XXPH3", root.Ribbon, keyhash.XXPH3, []string{
		"rocksdb.RibbonFilter:%s", "ribbonfilter:%s:3", "rocksdb.internal.Standard128RibbonFilter:%s",
	}},
	{"simdbloom.Legacy.RocksDB32", root.Legacy, keyhash.RocksDB32, []string{"rocksdb.internal.LegacyBloomFilter:%s"}},
	{"simdbloom.LevelDB.LevelDB32", root.LevelDB, keyhash.LevelDB32, []string{"leveldb.BuiltinBloomFilter2:%s"}},
	{"simdbloom.Paired32.XXPH3", root.Paired, keyhash.XXPH3, []string{"speedb.PairedBloomFilter:%s", "speedb_paired_bloom_filter:%s"}},
}

// kindOf returns the kind of a policy, by its text or by the name that tables record, and the zero
// policyKind for names that are not listed.
func kindOf(text string) policyKind {
	if at := strings.LastIndex(text, "id="); at >= 0 { // an object of RocksDB's options
		text = strings.TrimLeft(text[at+len("id="):], "{ ")
	}
	name, _, _ := strings.Cut(text, ":")
	for _, k := range kinds {
		if name == k.recorded || slices.ContainsFunc(k.texts, func(known string) bool {
			known, _, _ = strings.Cut(known, ":")
			return name == known
		}) {
			return k
		}
	}
	return policyKind{}
}

// ofRocksDB reports whether a policy's filters are RocksDB's.
func (k policyKind) ofRocksDB() bool {
	return k.hash == keyhash.XXPH3 && (k.format == root.FastLocal || k.format == root.Ribbon) || k.recorded == "simdbloom.Legacy.RocksDB32"
}

// kindIn returns the kind of a table's filter. RocksDB's newer filters that have the name of Pebble's own begin their
// last five bytes with a byte that is no number of probes.
func (p *plan) kindIn(b *filterBlock) policyKind {
	if filter := b.filter(); p.ForRocksDB && b.policy == pebbleName && len(filter) > metadataBytes {
		switch filter[len(filter)-metadataBytes] {
		case 0xff:
			return kindOf("simdbloom.FastLocal.XXPH3")
		case 0xfe:
			return kindOf("simdbloom.Ribbon.XXPH3")
		}
	}
	return kindOf(b.policy)
}

// withBits fills in the bits per key.
func withBits(text, bitsPerKey string) string { return strings.Replace(text, "%s", bitsPerKey, 1) }

// ofPebble reports whether a policy is not one that package policy parses.
func (k policyKind) ofPebble() bool { return k.recorded == "" || k.recorded == pebbleName }

var (
	// Below 0.5 bits per key filters may contain everything, and formats have limits of their own.
	someBitsPerKey = []string{"0.4", "1", "3.58", "5", "7", "10", "10", "14.3", "16", "16", "20", "23.4", "23.4", "28", "40", "100"}

	// With these, a table of most of a store's keys has a filter of more than 64 KiB.
	manyBitsPerKey = []string{"40", "64", "100"}
)

// randomPolicy chooses a policy of some bits per key.
func randomPolicy(r *rand.Rand, someBits []string) levelPolicy {
	bits := someBits[r.IntN(len(someBits))]
	kind := kinds[r.IntN(len(kinds))]
	if kind.recorded == pebbleName {
		value, _ := strconv.ParseFloat(bits, 64)
		bits = strconv.Itoa(min(max(int(value), 1), 100))
	}
	p := levelPolicy{Text: withBits(kind.texts[r.IntN(len(kind.texts))], bits)}
	if kind.ofPebble() {
		return p
	}
	p.Verification, p.RoundDown = r.IntN(4) == 0, r.IntN(4) == 0
	if r.IntN(4) == 0 {
		p.Concurrency = 2
	}
	if r.IntN(8) == 0 {
		p.MaxBytes = 10_000 // most tables' filters are smaller, and no format's least is larger
	}
	return p
}
