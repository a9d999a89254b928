package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/internal/test/measured/committed"
)

// TestCommittedPage: the table in docs is that of bench/sliced.json, whose runs have all sizes.
func TestCommittedPage(t *testing.T) {
	all, _ := committed.Pages(t, "../..", "sliced.json", files)
	for _, r := range *all {
		for _, of := range sizes {
			if s := r.Sizes[name(of)]; s == nil || len(s.Ways[loop]) != r.Rounds || len(s.Ways[hits]) != r.Rounds || s.MoreMemory > 0.04 {
				t.Errorf("bench/sliced.json has not all of %s on %s", name(of), r.Processor())
			}
		}
	}
}

// TestSmallRun measures a size, and writes the table from that.
func TestSmallRun(t *testing.T) {
	clone := t.TempDir()
	for _, directory := range []string{"bench", "docs/plots"} {
		if err := os.MkdirAll(filepath.Join(clone, directory), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	before := "before\n<!-- sliced: run -->\n<!-- end -->\n<!-- sliced: lookups -->\n<!-- end -->\nbehind\n"
	if err := os.WriteFile(filepath.Join(clone, page), []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	for _, args := range [][]string{
		{"-only=^1,024 × 1,000$", "-rounds=1", "-o=" + filepath.Join(clone, "bench", "sliced.json")},
		{"-pages=" + clone},
	} {
		if status := command.Run("sliced", args, &stderr, &stderr, parseSettings, measure); status != 0 {
			t.Fatalf("%v: status %d\n%s", args, status, stderr.Bytes())
		}
	}
	text, err := os.ReadFile(filepath.Join(clone, page))
	if row := "\n| 1,024 × 1,000 | "; err != nil || !strings.Contains(string(text), row) || !strings.Contains(string(text), ": 1 on ") {
		t.Errorf("%s, %v", text, err)
	}
	if status := command.Run("sliced", []string{"-only=none"}, &stderr, &stderr, parseSettings, measure); status == 0 {
		t.Error("no size matched, and that was no error")
	}
}
