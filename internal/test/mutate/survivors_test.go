package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadSurvivors(t *testing.T) {
	name := filepath.Join(t.TempDir(), "survivors.txt")
	read := func(text string) (map[string]string, error) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return readSurvivors(name)
	}
	known, err := read("# Comment\n\na/b.go: f: x  ->  y\na/b.go: f: z  ->  y\n\tequivalent\nc.go: g: x  ->  y\n\ttime only\n")
	if err != nil || len(known) != 3 || known["a/b.go: f: x  ->  y"] != "equivalent" || known["c.go: g: x  ->  y"] != "time only" {
		t.Errorf("%q, %v", known, err)
	}
	for text, want := range map[string]string{
		"a: f: x  ->  y\n": "no reason",
		"\treason\n":       ":1: a reason without",
		"a: f: x  ->  y\n\t1\na: f: x  ->  y\n\tagain\n": ":3: the same mutant twice",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestCompare: survivors without a reason are told from those with one, and entries that say nothing any more are
// found, in the packages that were run.
func TestCompare(t *testing.T) {
	var mutants []*mutant
	for _, m := range []struct {
		id string
		result
	}{{"new", survived}, {"old", survived}, {"slow", timedOut}, {"oldslow", timedOut}, {"fine", killed}, {"mended", killed}, {"later", ""}} {
		mutants = append(mutants, &mutant{id: "a/b.go: f: " + m.id, result: m.result})
	}
	known := map[string]string{"c/d.go: f: other": "not run"}
	for _, id := range []string{"old", "oldslow", "mended", "gone", "later"} {
		known["a/b.go: f: "+id] = "reason"
	}
	got := compare([]*pkg{{folder: "a", mutants: mutants}}, known)
	for _, part := range []struct {
		what      string
		got, want []string
	}{
		{"unknown", names(got.unknown), []string{"a/b.go: f: new"}},
		{"slow", names(got.slow), []string{"a/b.go: f: slow"}},
		{"gone", got.gone, []string{"a/b.go: f: gone"}},
		{"found", got.found, []string{"a/b.go: f: mended"}},
	} {
		if !slices.Equal(part.got, part.want) {
			t.Errorf("%s: %q, want %q", part.what, part.got, part.want)
		}
	}
}

// TestSurvivors: the file can be read, and its entries are of files that are there.
func TestSurvivors(t *testing.T) {
	known, err := readSurvivors("survivors.txt")
	if err != nil {
		t.Fatal(err)
	}
	for id := range known {
		file, _, _ := strings.Cut(id, ": ")
		if _, err := os.Stat(filepath.Join("..", "..", "..", filepath.FromSlash(file))); err != nil {
			t.Error(err)
		}
	}
}
