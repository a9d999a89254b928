package main

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// small makes stores of several tables in little time.
var small = []string{"-num=4000", "-write_buffer_size=65536", "-target_file_size_base=65536", "-cache_size=1000000", "-seed=7"}

// runText runs the command, which must succeed, and returns what it printed.
func runText(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(slices.Concat(small, args), &stdout, &stderr); status != 0 {
		t.Fatalf("%v: exit status %d: %s%s", args, status, stdout.Bytes(), stderr.Bytes())
	}
	return stdout.String()
}

// runJSON is runText with -json.
func runJSON(t *testing.T, args ...string) *output {
	t.Helper()
	out := new(output)
	if err := json.Unmarshal([]byte(runText(t, append(args, "-json")...)), out); err != nil {
		t.Fatal(err)
	}
	return out
}

// result returns the last result of that name.
func (o *output) result(name string) *result {
	for _, r := range slices.Backward(o.Results) {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// lookups returns the lookups of the last result of that name.
func (o *output) lookups(name string) *results.Lookups { return o.result(name).Lookups }

func TestEveryBenchmarkPrintsRocksDBsLines(t *testing.T) {
	const line = ` +[0-9]+\.[0-9]{3} micros/op [0-9]+ ops/sec [0-9]+\.[0-9]{3} seconds [0-9]+ operations;`
	text := runText(t, "-benchmarks="+namesOf(benchmarks), "-filter_uri=speedb.PairedBloomFilter", "-bloom_bits=23.4", "-statistics", "-histogram",
		"-batch_size=7", "-seek_nexts=3", "-deletes=1000")
	for _, want := range []string{
		`Keys:       16 bytes each \(\+ 0 bytes user-defined timestamp\)`,
		`Values:     100 bytes each \(50 bytes after compression\)`,
		`Entries:    4000`,
		`Prefix:    0 bytes`,
		`Keys per prefix:    0`,
		`RawSize:    0\.4 MB \(estimated\)`,
		`FileSize:   0\.3 MB \(estimated\)`,
		`Compression: snappy`,
		`Filter:     speedb\.PairedBloomFilter:23\.4, .*`,
		`Gets:       iterators and GetMany, .*`,
		`DB path: \[.+\]`,
		`fillseq      :` + line + ` +[0-9.]+ MB/s`,
		`fillbatch    :` + line + ` +[0-9.]+ MB/s`,
		`fillrandom   :` + line + ` +[0-9.]+ MB/s`,
		`overwrite    :` + line + ` +[0-9.]+ MB/s`,
		`readrandom   :` + line + ` +[0-9.]+ MB/s \([0-9]+ of 4000 found\)`,
		`readmissing  :` + line + ` \(0 of 4000 found\)`,
		`readseq      :` + line + ` +[0-9.]+ MB/s`,
		`multireadrandom :` + line + ` +[0-9.]+ MB/s \([0-9]+ of 4000 found\)`,
		`seekrandom   :` + line + ` +[0-9.]+ MB/s \([0-9]+ of 4000 found\)`,
		`readwhilewriting :` + line + ` +[0-9.]+ MB/s \([0-9]+ of 4000 found\)`,
		`deleterandom :` + line,
		`compact      :` + line,
		`flush memtable`,
		`waitforcompaction\(.+\): finished with status \(OK\)`,
		`Microseconds per (read|write|seek|delete|op):`,
		`Count: [0-9]+ Average: [0-9.]+  StdDev: [0-9.]+`,
		`Min: [0-9]+  Median: [0-9.]+  Max: [0-9]+`,
		`Percentiles: P50: [0-9.]+ P75: [0-9.]+ P99: [0-9.]+ P99\.9: [0-9.]+ P99\.99: [0-9.]+`,
		`\*\* Pebble's metrics \*\*`,
		`STATISTICS:`,
		`rocksdb\.block\.cache\.hit COUNT : [1-9][0-9]*`,
		`rocksdb\.block\.cache\.miss COUNT : [1-9][0-9]*`,
		`rocksdb\.bloom\.filter\.useful COUNT : [1-9][0-9]*`,
		`rocksdb\.bloom\.filter\.full\.positive COUNT : [1-9][0-9]*`,
		`rocksdb\.bloom\.filter\.full\.true\.positive COUNT : [1-9][0-9]*`,
		`rocksdb\.number\.keys\.written COUNT : 17000`,
		`filters of all tables : [1-9][0-9]* bytes`,
		`process : [0-9]+ bytes, at most [0-9]+`,
	} {
		if !regexp.MustCompile(`(?m)^` + want + ` *$`).MatchString(text) {
			t.Errorf("no line %s", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestWhatIsFound(t *testing.T) {
	for _, fill := range []string{"fillseq", "fillbatch"} {
		out := runJSON(t, "-benchmarks="+fill+",readrandom,multireadrandom,seekrandom,readseq,readmissing,compact,readrandom,readmissing",
			"-bloom_bits=10", "-threads=2", "-batch_size=9")
		for _, name := range []string{"readrandom", "multireadrandom", "seekrandom"} {
			if r := out.lookups(name); r.Found != 8000 || r.Keys != 8000 {
				t.Errorf("%s, %s: %d of %d found", fill, name, r.Found, r.Keys)
			}
		}
		if r := out.result("readseq"); r.Operations != 8000 || r.Bytes != 8000*116 {
			t.Errorf("%s, readseq: %d operations, %d bytes", fill, r.Operations, r.Bytes)
		}
		missing := out.lookups("readmissing")
		if missing.Found != 0 || missing.Keys != 8000 || missing.Queried < 7900 || missing.FPR > 0.03 {
			t.Errorf("%s, readmissing: %+v", fill, missing)
		}
		if r := out.lookups("readrandom"); r.Queried-r.Useful != r.Positives || r.Positives < 8000 {
			t.Errorf("%s, readrandom of a compacted store: %+v", fill, r)
		}
		if len(out.Store.Levels) != 1 || out.Store.Levels[0].Level != 6 || out.Store.Levels[0].Keys != 4000 {
			t.Errorf("%s: %+v", fill, out.Store.Levels)
		}
	}
}

func TestFiltersSaveReads(t *testing.T) {
	reads := func(args ...string) *results.Lookups {
		t.Helper()
		return runJSON(t, append(args, "-benchmarks=fillrandom,compact,readmissing", "-cache_size=0")...).lookups("readmissing")
	}
	none, own := reads(), reads("-filter_uri=simdbloom.Paired:23.4")
	if none.Queried != 0 || none.Data < 3900 || own.Queried < 3900 || own.Data > 20 {
		t.Errorf("without filters %+v, with %+v", none, own)
	}
	if get := reads("-filter_uri=simdbloom.Paired:23.4", "-l6_filters=false"); get.Queried != 0 || get.Data != none.Data {
		t.Errorf("DB.Get, which ignores L6's filters: %+v", get)
	}
}

func TestFilterBlocksRead(t *testing.T) {
	dir := t.TempDir()
	runText(t, "-db="+dir, "-benchmarks=fillseq,compact", "-filter_uri=Paired:23.4")
	for _, c := range []struct {
		args  []string
		warns bool
		right func(l *results.Lookups) bool
	}{
		{nil, false, func(l *results.Lookups) bool { return l.Filter > 0 && l.Filter < 40 }}, // each once
		{[]string{"-reads=300"}, false, func(l *results.Lookups) bool { return l.Filter > 3 && l.Filter < 40 }},
		{[]string{"-cache_size=0"}, true, func(l *results.Lookups) bool { return l.Filter == int64(l.Queried) }},
		{[]string{"-cache_size=0", "-l6_filters=false"}, false, func(l *results.Lookups) bool { return l.Filter == 0 }},
		{[]string{"-cache_size=0", "-filter_uri=none"}, false, func(l *results.Lookups) bool { return l.Filter == 0 }},
	} {
		args := slices.Concat([]string{"-db=" + dir, "-use_existing_db", "-benchmarks=readmissing", "-filter_uri=Paired:23.4"}, c.args)
		l, text := runJSON(t, args...).lookups("readmissing"), runText(t, args...)
		if !c.right(l) || strings.Contains(text, "filter blocks read: ") != (l.Filter > 0) || strings.Contains(text, "WARNING") != c.warns {
			t.Errorf("%q: %+v\n%s", c.args, l, text)
		}
	}
}

// The room for memtables, 192 MiB here, does not make the block cache's shards smaller than they are
// in a cache of -cache_size: a quarter each.
func TestFiltersFitIntoShards(t *testing.T) {
	for filter, fits := range map[string]bool{"FastLocal:30": true, "FastLocal:36": false} { // 225 KB and 270 KB
		l := runJSON(t, "-benchmarks=fillseq,compact,readmissing", "-filter_uri="+filter, "-num=60000", "-reads=1000", "-cache_size=1000000",
			"-write_buffer_size=67108864", "-target_file_size_base=67108864").lookups("readmissing")
		if fits && l.Filter != 1 || !fits && l.Filter != int64(l.Queried) || l.Queried == 0 {
			t.Errorf("%s: %+v", filter, l)
		}
	}
}

// Without a filter, tables and reads are the same for the same seed.
func TestSeedsDecide(t *testing.T) {
	found := func(args ...string) int64 {
		return runJSON(t, append(args, "-benchmarks=fillrandom,readrandom,deleterandom,readrandom", "-deletes=1500", "-threads=2")...).
			lookups("readrandom").Found
	}
	first := found()
	if again := found(); again != first {
		t.Errorf("%d keys found, and %d with the same seed", first, again)
	}
	if other := found("-seed=8"); other == first {
		t.Errorf("%d keys found with another seed, too", other)
	}
}

func TestPrefixFilters(t *testing.T) {
	args := []string{"-benchmarks=fillrandom,compact,seekrandom", "-prefix_size=12", "-key_size=24", "-keys_per_prefix=10", "-filter_uri=simdbloom.Linear:16"}
	there := runJSON(t, args...).lookups("seekrandom")
	missing := runJSON(t, append(args, "-seek_missing_prefix")...).lookups("seekrandom")
	if there.Found == 0 || there.Found == there.Keys || there.Positives < 3900 {
		t.Errorf("of prefixes that are there: %+v", there)
	}
	if missing.Found != 0 || missing.Useful < 3900 || missing.Data > 10 {
		t.Errorf("of missing prefixes: %+v", missing)
	}
	if text := runText(t, append(args, "-benchmarks=fillseq,readrandom")...); !strings.Contains(text, "(4000 of 4000 found)") ||
		!strings.Contains(text, "of prefixes of 12 bytes") {
		t.Error(text)
	}
}

// TestTickersByTheKindOfQuery: lookups of keys, lookups by prefixes and seeks have counters of their own, and so have
// their rates.
func TestTickersByTheKindOfQuery(t *testing.T) {
	const keys, prefixes = "bloom.filter.useful bloom.filter.full.positive", "bloom.filter.prefix.checked"
	for _, c := range []struct {
		args, counted, zero string
	}{
		{"-benchmarks=fillseq,compact,readrandom,readmissing", keys + " bloom.filter.full.true.positive", prefixes + " bloom.filter.prefix.useful bloom.filter.prefix.true.positive"},
		{"-benchmarks=fillseq,compact,multireadrandom -batch_size=300", "bloom.filter.full.true.positive", prefixes},
		{"-benchmarks=fillseq,compact,seekrandom", "number.db.seek", keys + " " + prefixes}, // to keys, without filters
		{"-prefix_size=12 -benchmarks=fillrandom,compact,readrandom", prefixes + " bloom.filter.prefix.true.positive", keys + " bloom.filter.full.true.positive"},
		{"-prefix_size=12 -benchmarks=fillrandom,compact,multireadrandom -batch_size=16", prefixes + " bloom.filter.prefix.true.positive", keys},
		{"-prefix_size=12 -benchmarks=fillrandom,compact,seekrandom", prefixes, keys + " bloom.filter.prefix.useful bloom.filter.prefix.true.positive"},
		{"-prefix_size=12 -benchmarks=fillrandom,compact,seekrandom -seek_missing_prefix", prefixes + " bloom.filter.prefix.useful", keys},
		{"-prefix_size=12 -benchmarks=fillrandom,compact,readrandom,seekrandom -l6_filters=false", "number.db.seek", keys + " " + prefixes},
	} {
		args := strings.Fields(c.args + " -filter_uri=simdbloom.Paired:16")
		if strings.Contains(c.args, "prefix") {
			args = append(args, "-key_size=24", "-keys_per_prefix=10")
		}
		out := runJSON(t, args...)
		counts := make(map[string]uint64)
		for _, ticker := range out.Tickers {
			counts[strings.TrimPrefix(ticker.Name, "rocksdb.")] = ticker.Count
		}
		for _, name := range strings.Fields(c.counted) {
			if counts[name] == 0 {
				t.Errorf("%s: %s is 0", c.args, name)
			}
		}
		for _, name := range strings.Fields(c.zero) {
			if counts[name] != 0 {
				t.Errorf("%s: %s is %d", c.args, name, counts[name])
			}
		}
		for _, r := range out.Results {
			if l := r.Lookups; l != nil && l.Queried != l.Useful+l.Positives {
				t.Errorf("%s, %s: %+v", c.args, r.Name, l)
			}
		}
	}
}

func TestExistingStore(t *testing.T) {
	dir := t.TempDir()
	first := runJSON(t, "-db="+dir, "-benchmarks=fillseq", "-bloom_bits=10")
	if first.Store.FilterBytes == 0 {
		t.Error("no filters")
	}
	second := runJSON(t, "-db="+dir, "-use_existing_db", "-benchmarks=fillrandom,readrandom,compact,readmissing", "-filter_uri=ribbonfilter:10")
	if !second.result("fillrandom").Skipped || second.lookups("readrandom").Found != 4000 {
		t.Errorf("%+v", second.Results)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) == 0 {
		t.Errorf("the store is gone: %v", err)
	}
	for want, args := range map[string][]string{
		"is not empty":   {"-db=" + dir},
		"does not exist": {"-db=" + t.TempDir(), "-use_existing_db"},
		"comparer":       {"-db=" + dir, "-use_existing_db", "-prefix_size=4"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(append(args, "-benchmarks=readrandom"), &stdout, &stderr); status != 1 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%v: status %d, %s", args, status, stderr.Bytes())
		}
	}
}

// Copies have the source's tables at the same levels, and another filter.
func TestCopiesOfAStore(t *testing.T) {
	dir := t.TempDir()
	source := runJSON(t, "-db="+dir, "-benchmarks=fillseq,compact,overwrite,flush", "-disable_auto_compactions")
	var found []int64
	for _, filter := range []string{"-filter_uri=simdbloom.Linear:16", "-bloom_bits=10"} {
		out := runJSON(t, "-copy_of="+dir, filter, "-benchmarks=fillseq,readrandom,readmissing", "-disable_auto_compactions")
		found = append(found, out.lookups("readrandom").Found)
		var levels, want []int
		for _, level := range out.Store.Levels {
			levels = append(levels, level.Level, level.Tables, int(level.Keys))
		}
		for _, level := range source.Store.Levels {
			want = append(want, level.Level, level.Tables, int(level.Keys))
		}
		if !slices.Equal(levels, want) || out.CopiedKeys < 4000 || out.Store.FilterBytes == 0 || out.lookups("readmissing").Found > 0 {
			t.Errorf("%s: %v, want %v; %d keys", filter, levels, want, out.CopiedKeys)
		}
	}
	if found[0] != 4000 || found[1] != 4000 {
		t.Errorf("found %d", found)
	}
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-copy_of=" + t.TempDir(), "-benchmarks=readseq"}, &stdout, &stderr); status != 1 || !strings.Contains(stderr.String(), "does not exist") {
		t.Errorf("status %d, %s", status, stderr.Bytes())
	}
}
