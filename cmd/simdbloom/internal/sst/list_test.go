package sst

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestManyTables: every table is a line, columns begin and end at the same places, and the totals are
// those of the lines.
func TestManyTables(t *testing.T) {
	directory, names := t.TempDir(), []string(nil)
	var tables [3][]byte
	for i, name := range []string{"1-none", "3-fastlocal", "7-linear"} {
		tables[i] = contents(t, filepath.Join(testdata, "pebble", name+".sst"))
	}
	const n = 600
	for i := range n {
		names = append(names, write(t, filepath.Join(directory, fmt.Sprintf("%06d.sst", i)), tables[i%3]))
	}
	write(t, names[0], tables[0][:len(tables[0])-1])
	var stdout, stderr bytes.Buffer
	if status := run(names, nil, &stdout, &stderr); status != failed || strings.Count(stderr.String(), "cut short") != 1 {
		t.Errorf("status %d, %s", status, &stderr)
	}
	parts := strings.Split(stdout.String(), "\n\n")
	if len(parts) != 3 {
		t.Fatalf("printed %s", &stdout)
	}
	lines := strings.Split(parts[0], "\n")
	header := lines[0]
	if lines = lines[1:]; len(lines) != n-1 {
		t.Fatalf("%d lines of files", len(lines))
	}
	bytes := make(map[string]int)
	for i, line := range lines {
		fields := strings.Fields(line)
		if len(fields) != 7 || fields[0] != names[i+1] || !aligned(header, line) {
			t.Fatalf("line %d:\n%s\n%s", i, header, line)
		}
		size, err := strconv.Atoi(fields[5])
		if err != nil {
			t.Fatal(err)
		}
		bytes[fields[2]] += size
	}
	linear, bloom := bytes["simdbloom.Linear.XX64"], bytes["simdbloom.FastLocal.XX64"]
	all := strings.Split(parts[1], "\n")
	wants := []string{
		"FILES KEYS FILTER FORMAT BITS/KEY BYTES MEAN FPR",
		fmt.Sprintf("200 40000 simdbloom.Linear.XX64 Linear %.2f %d ", float64(8*linear)/40_000, linear),
		fmt.Sprintf("200 40000 simdbloom.FastLocal.XX64 FastLocal %.2f %d ", float64(8*bloom)/40_000, bloom),
		"199 - none - - 0 -",
		fmt.Sprintf("599 80000 total - - %d -", linear+bloom),
	}
	if len(all) != len(wants) {
		t.Fatalf("totals\n%s", parts[1])
	}
	for i, want := range wants {
		if !strings.HasPrefix(withoutPadding(all[i]), want) || i > 0 && !aligned(header, all[i]) {
			t.Errorf("%s, want %s", all[i], want)
		}
	}
	if want := fmt.Sprintf("largest filter block: %d bytes, in %s\nblock cache that keeps it: %s\nfiles that could not be read: 1\n",
		linear/200, names[2], cachePage); parts[2] != want {
		t.Errorf("%s, want %s", parts[2], want)
	}
}

// aligned reports whether a line's columns are those of the header: words on the left or on the right of
// a column, with at least two spaces between columns.
func aligned(header, line string) bool {
	at := 0
	for _, name := range []string{"KEYS", "FILTER", "FORMAT", "BITS/KEY", "BYTES", "FPR"} {
		i := strings.Index(header, name)
		if name != "FILTER" && name != "FORMAT" {
			i += len(name) // numbers end there
			if len(line) < i || line[i-1] == ' ' || len(line) > i && line[i] != ' ' {
				return false
			}
		} else if len(line) < i+1 || line[i-2:i] != "  " || line[i] == ' ' {
			return false
		}
		if i <= at {
			return false
		}
		at = i
	}
	return true
}

// TestTotals: rates are averaged by size, and what is unknown is not added.
func TestTotals(t *testing.T) {
	low, high := 0.01, 0.04
	var out strings.Builder
	l := newList(&out, []string{"a"})
	for _, r := range []*report{
		{File: "a", Kind: "FastLocal", format: "FastLocal", Name: "name", Bytes: 300, Keys: 100, BitsPerKey: 24, FPR: &low, largest: 300},
		{File: "b", Kind: "FastLocal", format: "FastLocal", Name: "name", Bytes: 100, FPR: &high, largest: 100},
		{File: "c", Error: "broken"},
		{File: "d", Kind: "LevelDB Bloom", format: "LevelDB", Name: "old", Bytes: 20, Setting: &span{9, 10}, problems: []string{"one", "two"}},
		{File: "e", Kind: "LevelDB Bloom", format: "LevelDB", Name: "old", Bytes: 20, Setting: &span{44, mostSetting}},
		{File: "g", Kind: "unknown", format: "unknown", Name: "no size"},
		{File: "h", Kind: "empty", format: "empty", Name: "name"},
		{File: "f\x1b", Kind: "unknown", format: "unknown", Name: "somebody's\n", Bytes: 30, largest: 30},
	} {
		if err := l.add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.end(1); err != nil {
		t.Fatal(err)
	}
	const want = `FILE KEYS FILTER FORMAT BITS/KEY BYTES FPR PROBLEMS
a 100 name FastLocal 24.00 300 0.01
b - name FastLocal - 100 0.04
d - old LevelDB 9-10 20 - one; two
e - old LevelDB 44+ 20 -
g - no size unknown - - -
h - name empty - 0 -
"f\x1b" - "somebody's\n" unknown - 30 -

FILES KEYS FILTER FORMAT BITS/KEY BYTES MEAN FPR
2 100 name FastLocal 24.00 400 0.0175
2 - old LevelDB - 40 -
1 - "somebody's\n" unknown - 30 -
1 - name empty - 0 -
1 - no size unknown - 0 -
7 100 total - - 470 -

largest filter block: 300 bytes, in a
block cache that keeps it: ` + cachePage + `
files with problems: 1
files that could not be read: 1
`
	if got := withoutPadding(out.String()); got != want {
		t.Errorf("got\n%s", got)
	}
}

// TestNothingToList: no table could be read.
func TestNothingToList(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"nothing", "nothing either"}, nil, &stdout, &stderr); status != failed || stdout.Len() > 0 {
		t.Errorf("status %d, %s", status, &stdout)
	}
}

// TestEmptyFilters have a rate, and count as a byte.
func TestEmptyFilters(t *testing.T) {
	var sum summary
	sum.add(facts{kind: empty, rated: true}, 0)
	if rate, ok := sum.rate(); rate != 0 || !ok {
		t.Error(rate, ok)
	}
	low, high := 0., 1.
	var all total
	all.add(&report{FPR: &high})
	if got := all.line().rate; got != "1" {
		t.Error(got)
	}
	all.add(&report{Bytes: 3, FPR: &low})
	if got := all.line().rate; got != "0.25" {
		t.Error(got)
	}
}

// TestNoFilters: of tables without filters there is no largest filter, and no remark.
func TestNoFilters(t *testing.T) {
	name := filepath.Join(testdata, "none.sst")
	var stdout, stderr bytes.Buffer
	if status := run([]string{name, name}, nil, &stdout, &stderr); status != 0 || stderr.Len() > 0 || !strings.HasSuffix(withoutPadding(stdout.String()), "\n2 - none - - 0 -\n") {
		t.Errorf("status %d, %s%s", status, &stdout, &stderr)
	}
	stdout.Reset()
	if run([]string{name, filepath.Join(testdata, "ribbon.sst")}, nil, &stdout, &stderr); !strings.Contains(withoutPadding(stdout.String()), "\n2 2000 total - - 1749 -\n") {
		t.Errorf("with another one: %s", &stdout)
	}
}

// TestListThatCannotBeWritten: at whatever line.
func TestListThatCannotBeWritten(t *testing.T) {
	names := storedTables(t)[:3]
	var whole, stderr bytes.Buffer
	run(names, nil, &whole, &stderr)
	for room := range strings.Count(whole.String(), "\n") {
		stderr.Reset()
		if status := run(names, nil, &lines{room}, &stderr); status != failed || stderr.String() != "simdbloom sst: full\n" {
			t.Errorf("room for %d lines: status %d, %s", room, status, &stderr)
		}
	}
}

// lines is a disk with room for a number of lines, and, once it was full, for any number.
type lines struct{ room int }

func (l *lines) Write(p []byte) (int, error) {
	if l.room -= bytes.Count(p, []byte("\n")); l.room < 0 {
		l.room = 1 << 20
		return 0, errors.New("full")
	}
	return len(p), nil
}
