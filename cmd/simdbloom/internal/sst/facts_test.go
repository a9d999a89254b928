package sst

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/table"
)

// factsNamed has the only filter of a table, recorded under the name.
func factsNamed(name string, data []byte) (facts, error) {
	return factsIn(&table.Table{Layout: "full", FilterName: name}, data, 1)
}

const (
	builtinName = "rocksdb.BuiltinBloomFilter"
	speedbName  = "speedb_paired_bloom_filter"
)

func TestKindsOfBytes(t *testing.T) {
	body := make([]byte, 64*32)
	with := func(trailer ...byte) []byte { return append(body[:len(body):len(body)], trailer...) }
	emptyLinear, err := policy.Linear(10).NewBuilder().Finish()
	if err != nil || len(emptyLinear) == 0 {
		t.Fatal(emptyLinear, err)
	}
	for _, c := range []struct {
		name string
		data []byte
		kind string
		rate float64
	}{
		{builtinName, nil, "empty", 0},
		{builtinName, with(0xff, 0, 6, 0, 0), "FastLocal", 0},
		{builtinName, with(0xff, 0, 6, 0, 1), alwaysTrue, 1},
		{builtinName, with(0, 0, 0, 0, 0), alwaysTrue, 1},
		{builtinName, with(6, 32, 0, 0, 0), "legacy", 0},
		{builtinName, with(0xfe, 0, 1, 0, 0), alwaysTrue, 1},
		{builtinName, with(0xfe, 0, 8, 0, 0), "Ribbon", math.Exp2(-16)}, // 128 segments of 16 bytes, 8 blocks
		{builtinName, with(0xfe, 0, 0xff, 0xff, 0xff), "Ribbon", 1},     // more blocks than segments
		{speedbName, nil, "empty", 0},
		{speedbName, with(1, 6, 0, 0), "Paired in batches of 32 blocks", 0},
		{speedbName, with(1, 6, 0, 1), alwaysTrue, 1},
		{"simdbloom.FastLocal.XX64", with(6, 32, 0, 0, 0), alwaysTrue, 1},
		{"simdbloom.Linear.XX64", nil, "empty", 0},
		{"simdbloom.Linear.XX64", with(append(make([]byte, 32+4), 32, 0, 0, 0, 0, 18, 1, 0x80, 'L', 'L', 'F', '2')...), "Linear", math.Exp2(-18)},
		{"simdbloom.Linear.XX64", make([]byte, 6), alwaysTrue, 1},
		{"simdbloom.Linear.XX64", emptyLinear, "empty", 0},
		{"simdbloom.SplitBlock.XX64", nil, "empty", 0},
		{"simdbloom.SplitBlock.XX64", make([]byte, 64), "SplitBlock", 0},
		{"simdbloom.Ribbon.XX64", nil, "empty", 0},
		{"simdbloom.Ribbon.XX64", with(0xfe, 0, 8, 0, 0), "Ribbon", math.Exp2(-16)},
		{"simdbloom.FastLocal.XX64", with(0xfe, 0, 8, 0, 0), alwaysTrue, 1},
		{"simdbloom.LevelDB.LevelDB32", with(6), levelDBBloom, 0},
		{"simdbloom.LevelDB.LevelDB32", with(31), alwaysTrue, 1},
		{"simdbloom.Ribbon.XXPH3", nil, "empty", 0},
		{"simdbloom.Ribbon.XXPH3", with(0xfe, 0, 8, 0, 0), "Ribbon", math.Exp2(-16)},
		{"simdbloom.Ribbon.XXPH3", with(0xfe, 0, 0, 0, 0), alwaysTrue, 1},
		{"simdbloom.Ribbon.XXPH3", with(0xff, 0, 6, 0, 0), "FastLocal", 0}, // of few keys
		{"simdbloom.FastLocal.XXPH3", with(0xfe, 0, 8, 0, 0), "Ribbon", math.Exp2(-16)},
		{"simdbloom.FastLocal.XXPH3", with(6, 32, 0, 0, 0), "legacy", 0},
		{"simdbloom.Legacy.RocksDB32", with(6, 32, 0, 0, 0), "legacy", 0},
		{"another", with(0xff, 0, 6, 0, 0), "unknown", 0},
	} {
		f, err := factsNamed(c.name, c.data)
		if err != nil || f.kind != c.kind || math.Abs(f.rate-c.rate) > 1e-5 {
			t.Errorf("%s, %x: %+v, %v", c.name, c.data[max(0, len(c.data)-5):], f, err)
		}
	}
	for _, name := range []string{builtinName, speedbName, "simdbloom.Linear.XX64"} {
		if _, err := factsNamed(name, []byte{1}); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnsoundPairs(t *testing.T) {
	b, err := paired.NewBuilder(20, keyhash.XX64, paired.WithBatchBlocks(128))
	if err != nil {
		t.Fatal(err)
	}
	b.AddHash(1)
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	data[64] ^= 1
	f, err := factsNamed("simdbloom.Paired128.XX64", data)
	if err != nil || f.unsound == nil {
		t.Fatalf("%+v, %v", f, err)
	}
	var sum summary
	var r report
	sum.add(f, len(data))
	r.addSum(&sum)
	if !strings.HasPrefix(r.Pairs, "unsound: ") || len(r.problems) != 1 || !strings.HasPrefix(r.problems[0], "pair indexes unsound: ") {
		t.Errorf("%+v", r)
	}
}

// TestPartitionsOfManyKinds: RocksDB takes a small Bloom filter where Ribbon would be
// larger, so one table may have both.
func TestPartitionsOfManyKinds(t *testing.T) {
	var sum summary
	sum.add(facts{kind: "FastLocal", from: fromBits, rated: true, rate: 0.01, probes: 6, blocks: 1, blockBytes: 64}, 100)
	sum.add(facts{kind: "Ribbon", from: "columns", rated: true, rate: 0.02, blocks: 3}, 300)
	sum.add(facts{kind: "FastLocal", from: fromBits, rated: true, rate: 0.01, probes: 7, blocks: 1, blockBytes: 64}, 0)
	r := report{Partitions: 3}
	r.addSum(&sum)
	if r.Kind != "FastLocal and Ribbon" || r.format != "FastLocal+Ribbon" || sum.largest != 300 || r.Bytes != 400 || r.Blocks != 5 || *r.Probes != (span{6, 7}) ||
		math.Abs(*r.FPR-7.01/401) > 1e-7 || !strings.HasSuffix(r.FPRFrom, "averaged over the partitions by size") {
		t.Errorf("%+v", r)
	}
	for _, one := range []report{{}, {Partitions: 1}, {Filters: 1}} {
		if one.addSum(&sum); strings.Contains(one.FPRFrom, "averaged") {
			t.Errorf("%+v", one)
		}
	}
	filters := report{Filters: 2}
	if filters.addSum(&sum); !strings.HasSuffix(filters.FPRFrom, "averaged over the filters by size") {
		t.Errorf("%+v", filters)
	}
}
