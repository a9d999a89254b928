package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestSectionsThatAreReplaced(t *testing.T) {
	const old = "# Page\n\nText.\n\n## Large filters\n\nA\n\n## Which filter\n\nB\n\n## All settings\n\nC\n\n### 100 keys\n\nD\n"
	for text, want := range map[string]string{
		"## Which filter\n\nNew\n\n":   strings.Replace(old, "B\n", "New\n", 1),
		"## Linear filters\n\nNew\n\n": strings.Replace(old, "## Which", "## Linear filters\n\nNew\n\n## Which", 1),
		"## All settings\n\nNew\n":     strings.Replace(old, "C\n\n### 100 keys\n\nD\n", "New\n", 1),
	} {
		if got := withSections(old, text); got != want {
			t.Errorf("%q:\n%s", text, got)
		}
	}
}

// TestOneSection measures a section alone, and again for a page in a file that has an old one.
func TestOneSection(t *testing.T) {
	only := regexp.MustCompile("Linear")
	var printed bytes.Buffer
	if err := write(&settings{only: only}, newPage(small, only), &printed, io.Discard); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(printed.String(), "## Linear filters\n") {
		t.Errorf("%s", &printed)
	}
	const before, after = "# Page\n\n## Large filters\n\nA\n\n", "## All settings\n\nB\n"
	name := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(name, []byte(before+"## Linear filters\n\nOld\n\n"+after), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := write(&settings{out: name, only: only}, newPage(small, only), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != before+printed.String()+after {
		t.Errorf("%v\n%s", err, got)
	}
	missing := filepath.Join(t.TempDir(), "none.md")
	if err := write(&settings{out: missing, only: only}, newPage(small, only), io.Discard, io.Discard); err == nil {
		t.Error("a section of a page that does not exist was replaced")
	}
}

func TestSettings(t *testing.T) {
	for args, part := range map[string]string{
		"-only=none":   "matches no section",
		"-only=(":      "missing closing )",
		"-scale=0":     "-scale must be",
		"-scale=NaN":   "-scale must be",
		"-queries=100": "not defined",
		"more":         "is not a flag",
	} {
		if _, err := parseSettings(strings.Fields(args), io.Discard); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", args, err)
		}
	}
	s, err := parseSettings([]string{"-scale=0.01", "-only=^Linear"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if got := full.scaled(s.scale); got.largeQueries != 1e7 || got.rareQueries != 5e7 || got.mostQueries != 2e6 || got.falsePositives != 200 {
		t.Errorf("%+v", got)
	}
	if p := newPage(full, s.only); len(p.sections) != 1 || p.whole || len(p.all) != 8 || len(p.bloom) != 0 {
		t.Errorf("%d sections, %d experiments", len(p.sections), len(p.all))
	}
}
