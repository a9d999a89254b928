package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
)

// tiny is a comparison that takes milliseconds.
var tiny = []string{"-sizes=4KiB", "-bits_per_key=10,23.4", "-present=0,0.5,1", "-batch=0,7", "-queries=2000", "-rounds=3"}

// succeed runs the command and returns what it prints.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(args, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Fatalf("%q: status %d, %s", args, status, stderr.String())
	}
	return stdout.String()
}

func figures(t *testing.T, args ...string) *output {
	t.Helper()
	got := new(output)
	if err := json.Unmarshal([]byte(succeed(t, append(args, "-json")...)), got); err != nil {
		t.Fatal(err)
	}
	return got
}

func names(t *table) (names []string) {
	for _, r := range t.Rows {
		names = append(names, r.Name)
	}
	return names
}

func TestFlagsThatCannotBe(t *testing.T) {
	for args, part := range map[string]string{
		"-sizes=0":                         "must be a multiple of 64",
		"-sizes=100":                       "must be a multiple of 64",
		"-sizes=8GiB":                      "-sizes",
		"-sizes=16KiB,":                    "not a whole number",
		"-sizes=16KB":                      "not a whole number",
		"-sizes=-64":                       "not a whole number",
		"-sizes=99999999999GiB":            "too large",
		"-bits_per_key=0.5":                "not 1 to 100",
		"-bits_per_key=101":                "not 1 to 100",
		"-bits_per_key=NaN":                "not 1 to 100",
		"-bits_per_key=ten":                "not a number",
		"-present=1.1":                     "not 0 to 1",
		"-present=NaN":                     "not 0 to 1",
		"-batch=-1":                        "not a whole number",
		"-levels=sse9":                     "not one of this machine's levels: generic",
		"-pages=large":                     "neither ordinary nor huge",
		"-queries=10":                      "-queries must be",
		"-queries=512Mi":                   "-queries must be",
		"-rows=(":                          "missing closing )",
		"-rows=nosuchrow":                  "matches no row",
		"-key_bytes=7":                     "neither 0 nor 8 to 1024",
		"-key_bytes=1025":                  "neither 0 nor 8 to 1024",
		"-rows=keys":                       "matches no row",
		"-key_bytes=16 -rows=bi":           "matches no row",
		"-batch_blocks=64":                 "-batch_blocks must be 128 or 32",
		"-offset=64":                       "-offset must be 0 to 63",
		"-offset=-1":                       "-offset must be 0 to 63",
		"-touch=some":                      "-touch must be fastest or all",
		"-rounds=0":                        "-rounds must be",
		"-rounds=100000":                   "-rounds must be",
		"-seed=-1":                         "-seed",
		"-quick":                           "not defined",
		"-build -present=0":                "-present cannot be used with -build",
		"-build -key_bytes=8":              "-key_bytes cannot be used with -build",
		"-build -rows=batch":               "matches no row",
		"-rows=build":                      "matches no row",
		"-add=100":                         "-add needs -build",
		"-concurrency=2":                   "-concurrency needs -build",
		"-verification":                    "-verification needs -build",
		"-memory=free":                     "-memory needs -build",
		"-build -memory=new":               "not lent, free or heaps",
		"-build -add=0":                    "-add must be 1 to",
		"-build -add=1Gi":                  "-add must be 1 to",
		"-build -add=few":                  "not a whole number",
		"-build -concurrency=0":            "0 is not 1 to 1024",
		"-rounds=2 stray thing":            `"stray thing" is not a flag`,
		"-sizes=16KiB -sizes=1K":           "not a whole number",
		"-sizes=2x16KiB":                   "need -single",
		"-single -sizes=0x16KiB":           "must be 1 to 1024 filters",
		"-single -sizes=2x100":             "must be a multiple of 64",
		"-single -key_bytes=0":             "at least 8",
		"-single -batch=8":                 "changes nothing",
		"-single -rows=batch":              "matches no row",
		"-single -build":                   "exclude each other",
		"-grow -single":                    "exclude each other",
		"-grow -build":                     "exclude each other",
		"-grow -present=0":                 "-present cannot be used with -grow",
		"-grow -turn=2048":                 "-turn needs -single",
		"-grow -memory=free":               "-memory needs -build",
		"-grow -rows=paired":               "matches no row",
		"-scattered":                       "-scattered needs -single",
		"-turn=2048":                       "-turn needs -single",
		"-single -turn=10":                 "-turn must be 0 or 256 to 65536",
		"-single -turn=1Mi":                "-turn must be 0 or 256 to 65536",
		"-single -turn=few":                "not a whole number",
		"-single -turn=2048 -queries=2000": "-queries must be at least -turn",
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(args), &stdout, &stderr); status != 2 || !strings.Contains(stderr.String(), part) || stdout.Len() > 0 {
			t.Errorf("%s: status %d, %s", args, status, stderr.String())
		}
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-help"}, &stdout, &stderr); status != 0 {
		t.Errorf("status %d", status)
	}
	for _, name := range []string{"sizes", "bits_per_key", "present", "batch", "key_bytes", "batch_blocks", "pages", "copies", "offset", "queries", "levels", "rows", "touch", "rounds", "json", "seed", "single", "scattered", "turn", "grow", "build", "concurrency", "verification", "add", "memory"} {
		if !strings.Contains(stderr.String(), "\n  -"+name) {
			t.Errorf("no -%s in the help", name)
		}
	}
}

func TestEveryCombinationHasATableOfEveryRow(t *testing.T) {
	got := figures(t, tiny...)
	if len(got.Filters) != 2 {
		t.Fatalf("%d filters, not 2", len(got.Filters))
	}
	for i, f := range got.Filters {
		if f.Bytes != 4096 || f.BitsPerKey != []float64{10, 23.4}[i] || f.Keys != []uint64{3276, 1400}[i] || len(f.Tables) != 6 {
			t.Errorf("%+v", f)
		}
		for j, table := range f.Tables {
			if table.Present != []float64{0, 0.5, 1}[j/2] || table.Batch != []int{0, 7}[j%2] || table.Queries != 2000 || table.Rounds != 3 {
				t.Errorf("%+v", table)
			}
			rows := names(table)
			fuse := []string{"fuse 8", "fuse 16"}[i]
			if !slices.Contains(rows, fuse) || !slices.Contains(rows, "linear as "+fuse+" "+machine.Describe().Level+" batch") {
				t.Errorf("no rows of %s in %q", fuse, rows)
			}
			for _, name := range []string{
				"generic batch", "generic bits", "generic single",
				"generic stateless", "paired generic batch", "paired generic bits", "paired generic single", "paired generic stateless",
				"linear generic batch", "linear generic bits", "linear generic single", "linear generic stateless",
				"ribbon generic batch", "ribbon generic bits", "ribbon generic single", "ribbon generic stateless",
				"legacy generic batch", "legacy generic bits", "legacy generic single", "legacy generic stateless",
				"leveldb generic batch", "leveldb generic bits", "leveldb generic single", "leveldb generic stateless",
				"touch none", "touch t0 8", "touch t1 16", "touch t2 32", "touch nta 128",
				"parquet", "pebble", "pebble Legacy generic", "bits-and-blooms", "blobloom",
			} {
				if !slices.Contains(rows, name) {
					t.Errorf("no row %q in %q", name, rows)
				}
			}
			for _, r := range table.Rows {
				checkRow(t, f, table, r)
			}
		}
	}
}

func checkRow(t *testing.T, f *filters, table *table, r *timedRow) {
	t.Helper()
	if len(r.NS) != 3 || !(0 < r.MinNS && r.MinNS <= r.MedianNS && r.MedianNS <= r.MaxNS) {
		t.Errorf("%+v", r)
	}
	if strings.HasPrefix(r.Name, "touch") || r.Name == "hashing" {
		return
	}
	if r.HitShare < table.Present-0.05 || r.HitShare > table.Present+0.08 || table.Present == 1 && r.HitShare != 1 {
		t.Errorf("%s: %v present, %v hits", r.Name, table.Present, r.HitShare)
	}
	least, most := f.Bytes*9/10, f.Bytes+200
	if strings.Contains(r.Name, "fuse") {
		least, most = f.Bytes*7/10, f.Bytes*5/4
	}
	if strings.HasPrefix(r.Name, "ribbon ") {
		least, most = f.Bytes*6/10, f.Bytes*8/10
	}
	if n := r.Probes + r.Fingerprint; r.Bytes < least || r.Bytes > most || n < 4 || n > 21 || r.BitsPerKey != 8*float64(r.Bytes)/float64(f.Keys) {
		t.Errorf("%s: %d bytes, %v bits/key, k %s", r.Name, r.Bytes, r.BitsPerKey, r.chosen)
	}
}

func TestTablesWithKeysHaveTheRowsThatTakeThem(t *testing.T) {
	got := figures(t, append(tiny, "-key_bytes=8,16,24", "-levels=generic")...)
	if len(got.Filters) != 6 {
		t.Fatalf("%d filters, not 6", len(got.Filters))
	}
	for i, f := range got.Filters {
		if want := []int{8, 16, 24}[i%3]; f.KeyBytes != want {
			t.Errorf("keys of %d bytes, want %d", f.KeyBytes, want)
		}
		for _, table := range f.Tables {
			fuse := []string{"fuse 8", "fuse 16"}[i/3]
			if rows := names(table); !slices.Equal(rows, []string{
				"generic keys", "hashing", "paired generic keys", "linear generic keys", "ribbon generic keys", "legacy generic keys", "leveldb generic keys",
				"linear as " + fuse + " generic keys", fuse + " keys", "parquet keys",
			}) {
				t.Errorf("%q", rows)
			}
			if reference := table.Rows[9]; reference.ToReference != 1 {
				t.Errorf("%s is %v times itself", reference.Name, reference.ToReference)
			}
			for _, r := range table.Rows {
				checkRow(t, f, table, r)
			}
		}
	}
	text := succeed(t, append(tiny, "-key_bytes=0,16")...)
	for _, part := range []string{
		"\n== 4 KiB at 10 bits/key: 3276 keys. Pages: ", "\n== 4 KiB at 10 bits/key: 3276 keys of 16 bytes. Pages: ",
		"\n100 % present, batch and bits rows 7 a call", "\n100 % present, keys rows 7 a call", " hashing   ", " parquet keys ",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in the text", part)
		}
	}
}

// TestCopiesAreRows: the comparison fails by itself where a copy's answers differ.
func TestCopiesAreRows(t *testing.T) {
	for _, f := range figures(t, append(tiny, "-copies", "-offset=48", "-rows=batch|copied")...).Filters {
		for _, table := range f.Tables {
			for _, r := range table.Rows {
				checkRow(t, f, table, r)
			}
			rows := names(table)
			for _, filter := range []string{"generic", "paired generic", "linear generic", "ribbon generic", "legacy generic", "leveldb generic"} {
				if !slices.Contains(rows, filter+" batch") || !slices.Contains(rows, filter+" copied") {
					t.Errorf("%s is not there twice: %q", filter, rows)
				}
			}
		}
	}
}

// TestLinearFiltersNeedSomeBits also looks at which tables have binary fuse filters.
func TestLinearFiltersNeedSomeBits(t *testing.T) {
	for bitsPerKey, want := range map[string]struct {
		notes string
		rows  []string
	}{
		"7":    {"linear is left out: it takes at least 7.3 bits/key", []string{"parquet"}},
		"7.5":  {"", []string{"linear generic batch", "parquet"}},
		"9":    {"", []string{"linear generic batch", "linear as fuse 8 generic batch", "fuse 8", "parquet"}},
		"16":   {"", []string{"linear generic batch", "parquet"}},
		"18.1": {"", []string{"linear generic batch", "linear as fuse 16 generic batch", "fuse 16", "parquet"}},
		"30":   {"", []string{"linear generic batch", "parquet"}},
	} {
		f := figures(t, "-sizes=64KiB", "-bits_per_key="+bitsPerKey, "-present=0.5", "-queries=2000", "-rounds=1",
			"-levels=generic", "-rows=linear.*batch|fuse .{1,2}$").Filters[0]
		if notes, rows := strings.Join(f.Notes, "\n"), names(f.Tables[0]); notes != want.notes || !slices.Equal(rows, want.rows) {
			t.Errorf("%s bits/key: %q, rows %q", bitsPerKey, notes, rows)
		}
	}
}

func TestTheBestLevel(t *testing.T) {
	got := figures(t, append(tiny, "-levels=best", "-rows=^[^ ]* batch")...)
	if rows, want := names(got.Filters[0].Tables[0]), []string{machine.Describe().Level + " batch", "parquet"}; !slices.Equal(rows, want) {
		t.Errorf("%q, want %q", rows, want)
	}
}

func TestAnOffsetIsSaid(t *testing.T) {
	const note = "simdbloom's filters, but no others, begin 16 bytes behind a multiple of 64"
	if notes := figures(t, append(tiny, "-offset=16")...).Notes; !slices.Contains(notes, note) {
		t.Errorf("%q", notes)
	}
	if notes := figures(t, tiny...).Notes; slices.Contains(notes, note) {
		t.Errorf("%q", notes)
	}
}

func TestBatchesOfThePairedFilter(t *testing.T) {
	for args, want := range map[string]string{
		"-sizes=16KiB":                   "",
		"-sizes=16KiB -batch_blocks=128": "",
		"-sizes=16KiB -batch_blocks=32":  "paired has batches of 32 blocks, not 128",
		"-sizes=6KiB":                    "paired has batches of 32 blocks, not 128",
		"-sizes=1KiB -rows=paired":       "paired is left out: its size is a multiple of 2 KiB",
		"-sizes=5KiB -rows=generic":      "paired is left out: its size is a multiple of 2 KiB",
		"-sizes=5KiB -rows=^generic":     "",
	} {
		f := figures(t, append(strings.Fields(args), "-bits_per_key=10", "-present=0.5", "-queries=2000", "-rounds=1")...).Filters[0]
		if notes := strings.Join(f.Notes, "\n"); notes != want {
			t.Errorf("%s: %q", args, notes)
		}
		measured := slices.Contains(names(f.Tables[0]), "paired generic batch")
		if wanted := !strings.Contains(want, "left out") && !strings.Contains(args, "^"); measured != wanted {
			t.Errorf("%s: measured %v", args, measured)
		}
	}
}

func TestRatiosAreThoseOfTheRounds(t *testing.T) {
	for _, f := range figures(t, tiny...).Filters {
		for _, table := range f.Tables {
			rows := make(map[string]*timedRow)
			for _, r := range table.Rows {
				rows[r.Name] = r
			}
			parquet, touch := rows["parquet"], rows[table.FastestTouch]
			if parquet.ToReference != 1 || touch.ToTouch != 1 {
				t.Errorf("parquet to itself %v, touch to itself %v", parquet.ToReference, touch.ToTouch)
			}
			for _, r := range table.Rows {
				if r.ToReference < r.MinNS/parquet.MaxNS || r.ToReference > r.MaxNS/parquet.MinNS {
					t.Errorf("%s is %v parquet", r.Name, r.ToReference)
				}
				if strings.HasPrefix(r.Name, "touch") && r.MedianNS < touch.MedianNS {
					t.Errorf("%s is faster than %s", r.Name, touch.Name)
				}
			}
		}
	}
	if got := medianRatio([]float64{2, 30, 5}, []float64{1, 10, 1}); got != 3 {
		t.Errorf("the median of 2, 3 and 5 is %v", got)
	}
}

func TestTextHasTheRowsAndTheMachine(t *testing.T) {
	text := succeed(t, tiny...)
	if line := figures(t, tiny...).Machine.String() + "\n"; !strings.HasPrefix(text, line) {
		t.Errorf("the first line is not %s", line)
	}
	squeezed := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }), " ")
	for _, part := range []string{
		"== 4 KiB at 10 bits/key: 3276 keys. Pages: ", "== 4 KiB at 23.4 bits/key: 1400 keys",
		"\n0 % present", "\n50 % present, batch and bits rows all in one call, 3 rounds of 2000 queries:\n", "\n100 % present, batch and bits rows 7 a call",
		" generic batch 4101 10.01 6 ", " parquet 4096 10.00 8 ", " pebble 4165 10.17 6 ", " pebble Legacy generic 4165 10.17 6 ", " legacy generic batch 4165 10.17 6 ", " leveldb generic single 4096 10.00 6 ", " bits-and-blooms 4096 10.00 7 ",
		" blobloom 4096 10.00 5 ", " linear generic single 4048 9.89 r=9 ", " ribbon generic single 2949 7.20 7 ", " ribbon generic batch 2789 15.94 15 ", " fuse 8 4352 10.63 r=8 ", "\nLegend:\n",
	} {
		if !strings.Contains(squeezed, part) {
			t.Errorf("no %q in the text", part)
		}
	}
	if got := strings.Count(squeezed, "\n touch "); got != 12 {
		t.Errorf("%d touch rows in 12 tables", got)
	}
	all := succeed(t, append(tiny, "-touch=all")...)
	if got := strings.Count(all, " touch t2 "); got != 12*5 {
		t.Errorf("%d touch rows of hint t2 in 12 tables, not 5 in each", got)
	}
	for _, part := range []string{"NaN", "Inf", "%!"} {
		if strings.Contains(text, part) {
			t.Errorf("%q in the text", part)
		}
	}
}

func TestRowsThatWereChosen(t *testing.T) {
	got := figures(t, append(tiny, "-rows=^generic b", "-levels=generic")...)
	if rows := names(got.Filters[0].Tables[0]); !slices.Equal(rows, []string{"generic batch", "generic bits", "parquet"}) {
		t.Errorf("%q", rows)
	}
	text := succeed(t, append(tiny, "-rows=blobloom", "-pages=ordinary")...)
	if strings.Contains(text, "generic batch") || !strings.Contains(text, "Pages: ordinary.") {
		t.Error(text)
	}
}

func TestTheSameSeedAsksTheSame(t *testing.T) {
	hits := func(seed string) (hits []int) {
		for _, r := range figures(t, append(tiny, "-seed="+seed)...).Filters[0].Tables[2].Rows {
			hits = append(hits, r.Hits)
		}
		return hits
	}
	if a, b, c := hits("5"), hits("5"), hits("6"); !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("%v, %v; with another seed %v", a, b, c)
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestOutputThatCannotBeWritten(t *testing.T) {
	for _, args := range [][]string{tiny, append(slices.Clone(tiny), "-json")} {
		var stderr bytes.Buffer
		if status := run(args, full{}, &stderr); status != 1 || !strings.Contains(stderr.String(), "no space") {
			t.Errorf("%s: status %d, %s", args, status, stderr.String())
		}
	}
}
