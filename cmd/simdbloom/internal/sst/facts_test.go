package sst

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/bloom"
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

// TestPairsOfBothSizes: the pair indexes of some filters of few keys fit both of Speedb's sizes of batches.
func TestPairsOfBothSizes(t *testing.T) {
	for i := range uint64(1000) {
		b, err := paired.NewBuilder(20, keyhash.XX64, paired.WithBatchBlocks(128))
		if err != nil {
			t.Fatal(err)
		}
		b.AddHash(i * 0x9e3779b97f4a7c15)
		data, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-2] = 0 // as Speedb writes it
		f, err := factsNamed(speedbName, data)
		if err != nil || f.kind != "Paired in batches of 128 blocks" && f.kind != "Paired in batches of 32 blocks or 128" {
			t.Fatalf("%+v, %v", f, err)
		}
		if strings.HasSuffix(f.kind, " or 128") {
			return
		}
	}
	t.Error("no filter of a key fits both")
}

// TestReportsOfFewFacts: formats that only their name is known of, tables without filters in them, and longer
// fingerprints.
func TestReportsOfFewFacts(t *testing.T) {
	m, err := blobloom.New(1024, 5, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	if f := factsOf(&m.Filter, 1); f.kind != "Blobloom" || !f.rated {
		t.Errorf("%+v", f)
	}
	line, err := factsNamed("simdbloom.Legacy.RocksDB32", append(make([]byte, 64), 6, 1, 0, 0, 0))
	if err != nil || line.blocks != 1 || line.blockBytes != 64 {
		t.Errorf("%+v, %v", line, err)
	}
	split, err := factsNamed("simdbloom.SplitBlock.XX64", make([]byte, 64))
	if err != nil || split.blocks != 2 || split.blockBytes != 32 {
		t.Errorf("%+v, %v", split, err)
	}
	var sum summary
	sum.add(facts{kind: "Linear", fingerprint: 9, longer: 3, layers: 2}, 10)
	var r report
	r.addSum(&sum)
	if r.addPerKey(&sum, 1); *r.Prints != (span{9, 9}) || *r.Longer != (span{3, 3}) || *r.Layers != (span{2, 2}) || r.BitsPerKey != 0 {
		t.Errorf("%+v", r)
	}
	worse := report{Keys: 1000, Bytes: 1250} // by a little, which is no problem
	if worse.addPerKey(&summary{legacyLines: 21, weightedRates: 1.2 * bloom.PredictedFPR(1000, 10), weight: 1}, 1); len(worse.Notes) != 1 || len(worse.problems) != 0 {
		t.Errorf("%+v", worse)
	}
	one := report{Kind: "LevelDB Bloom", Partitions: 1, Keys: 1, KeysFrom: "here", Setting: &span{44, mostSetting}}
	if text := one.text(); !strings.Contains(text, "partitioned (1 partition)\n") || !strings.Contains(text, "1 (here)\n") || !strings.Contains(text, "at least 44, by the number of probes\n") || one.row().keys != "1" {
		t.Error(text)
	}
	var none report
	if none.addSum(new(summary)); none.Kind != "empty" || none.format != "empty" || none.FPR != nil {
		t.Errorf("%+v", none)
	}
	linear := report{Kind: "Linear", Prints: &span{9, 9}, Longer: &span{3, 4}}
	if text := linear.text(); !strings.Contains(text, "fingerprints   9 bits, longer for 3 to 4 of 64 keys\n") {
		t.Error(text)
	}
	for probes, want := range map[span]span{{6, 6}: {9, 10}, {1, 1}: {1, 2}, {30, 30}: {44, mostSetting}, {6, 7}: {9, 11}} {
		if got := settings(probes); got == nil || *got != want {
			t.Errorf("%v probes: %v bits per key, want %v", probes, got, want)
		}
	}
	if got := settings(span{31, 40}); got != nil {
		t.Errorf("31 probes: %v", got)
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
