package main

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// onlyOne is a comparison of lookups of one key at a time that takes milliseconds.
var onlyOne = []string{"-single", "-sizes=16KiB,4x16KiB", "-key_bytes=8,24", "-levels=generic", "-queries=2000", "-rounds=2"}

func TestSingleHasTheRowsOfBothDatabases(t *testing.T) {
	for _, offset := range []string{"-offset=0", "-offset=16"} {
		got := figures(t, append(onlyOne, offset, "-scattered")...)
		if len(got.Filters) != 4 {
			t.Fatalf("%d filters, not 4", len(got.Filters))
		}
		for i, f := range got.Filters {
			if f.Filters != []int{1, 4}[i/2] || f.KeyBytes != []int{8, 24}[i%2] || f.Pages != "ordinary" || len(f.Tables) != 4 {
				t.Errorf("%+v", f)
			}
			for j, table := range f.Tables {
				if table.Present != []float64{0, 0.5}[j/2] || table.Branch != (j%2 == 1) {
					t.Errorf("table %d: %+v", j, table.queried)
				}
				checkSingle(t, table)
			}
		}
	}
}

func checkSingle(t *testing.T, table *table) {
	t.Helper()
	suffix := ""
	if machineLevels() != "generic" {
		suffix = " generic"
	}
	rows := names(table)
	if !slices.Equal(rows, []string{
		"pebble", "pebble Legacy" + suffix, "pebble FastLocal" + suffix, "pebble Paired" + suffix, "pebble Linear" + suffix,
		"pebble Ribbon" + suffix,
		"goleveldb", "goleveldb BuiltIn", "goleveldb FastLocal" + suffix, "goleveldb Paired" + suffix, "goleveldb Linear" + suffix,
		"goleveldb Ribbon" + suffix,
	}) {
		t.Errorf("%q", rows)
	}
	for i, r := range table.Rows {
		reference := table.Rows[i/6*6]
		if r == reference && r.ToReference != 1 || r.ToReference < r.MinNS/reference.MaxNS || r.ToReference > r.MaxNS/reference.MinNS {
			t.Errorf("%s is %v times %s", r.Name, r.ToReference, reference.Name)
		}
		least, most := 16<<10-64, 17<<10
		if strings.Contains(r.Name, "Ribbon") {
			least, most = 10<<10, 13<<10
		}
		if r.HitShare < table.Present-0.05 || r.HitShare > table.Present+0.08 || r.Bytes < least || r.Bytes > most {
			t.Errorf("%s: %v present, %v hits, %d bytes", r.Name, table.Present, r.HitShare, r.Bytes)
		}
	}
}

func TestTurnsHaveAllRows(t *testing.T) {
	for _, f := range figures(t, append(onlyOne, "-turn=500")...).Filters {
		for _, table := range f.Tables {
			if !table.Turns || table.Queries != 500 || table.Rounds != 2*4 {
				t.Errorf("%d rounds of %d keys", table.Rounds, table.Queries)
			}
			for _, r := range table.Rows {
				if len(r.NS) != 8 {
					t.Errorf("%s: %v", r.Name, r.NS)
				}
			}
			checkSingle(t, table)
		}
	}
	text := succeed(t, "-single", "-turn=256", "-sizes=16KiB", "-present=0.5", "-levels=best", "-rows=pebble Legacy", "-rounds=1")
	if !strings.Contains(text, "\n64 turns in random order of 256 keys, one a call:\n") || strings.Contains(text, " goleveldb ") {
		t.Error(text)
	}
}

// TestOtherBytesThanADatabaseHas: it is the same format only if they are the same.
func TestOtherBytesThanADatabaseHas(t *testing.T) {
	for _, e := range databases(settingsOf(t, "-single"), newFilling(16<<10, usualBitsPerKey, 16)) {
		d := e.contestant.(*database)
		if d.same == nil {
			continue
		}
		d.filters, d.same.filters = [][]byte{{1, 2}}, [][]byte{{1, 2}}
		if err := d.verify(nil); err != nil {
			t.Error(err)
		}
		d.filters = [][]byte{{1, 3}}
		if err := d.verify(nil); err == nil || !strings.HasPrefix(d.title, d.same.title+" ") {
			t.Errorf("%s like %s: %v", d.title, d.same.title, err)
		}
	}
}

func TestSingleFitsTheScreen(t *testing.T) {
	text := succeed(t, onlyOne...)
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > 101 && !strings.Contains(line, "linux/") && !strings.Contains(line, "goleveldb v") {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	for _, part := range []string{"== 4 x 16 KiB at 10 bits/key: 13107 keys of 24 bytes. Pages: ordinary.", "2 rounds of 2000 keys, one a call:", " branch ns ", "\nLegend:\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in the text", part)
		}
	}
}

func TestScatteredKeysHaveLinesOfTheirOwn(t *testing.T) {
	q := newQueries(1000, 0, 24)
	q.scatter(24)
	newKeySource(0, 10).fill(q, 0.5)
	seen := make(map[*byte]bool)
	for i, key := range q.keys {
		if len(key) != 24 || cap(key) != 24 || seen[&key[0]] {
			t.Fatalf("key %d has memory of another", i)
		}
		seen[&key[0]] = true
	}
}
