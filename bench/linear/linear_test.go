package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/internal/test/measured/committed"
)

// TestCommittedPages: the page and the plots in docs are those of bench/linear.json, which has lookups of all sizes.
func TestCommittedPages(t *testing.T) {
	r, _ := committed.Pages(t, "../..", "linear.json", (*results).files)
	for _, size := range sizes {
		if p := r.Parts[size.name]; p == nil || len(p.Lookups) < 2 {
			t.Errorf("bench/linear.json has not all lookups in filters of %s", size.name)
		}
	}
}

// TestSmallRun measures little, again into the same file, and writes the tables from that.
func TestSmallRun(t *testing.T) {
	clone := t.TempDir()
	for _, directory := range []string{"bench", "docs/plots"} {
		if err := os.MkdirAll(filepath.Join(clone, directory), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	before := "before\n<!-- linear: lookups -->\n<!-- end -->\nbehind\n"
	if err := os.WriteFile(filepath.Join(clone, page), []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	out := "-o=" + filepath.Join(clone, "bench", "linear.json")
	var stderr bytes.Buffer
	for _, args := range [][]string{
		{"-only=^16 KiB$", "-rounds=1", "-queries=64", out},
		{"-only=^16 KiB$", "-rounds=2", "-queries=64", out},
		{"-pages=" + clone},
	} {
		if status := command.Run("linear", args, io.Discard, &stderr, parseSettings, measure); status != 0 {
			t.Fatalf("%v: status %d, %s", args, status, &stderr)
		}
	}
	text, err := os.ReadFile(filepath.Join(clone, page))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before\n", "\n| 16 KiB, 8.5 bits/key | ", "\n| 16 KiB, 17 bits/key | ", "behind\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in the page:\n%s", want, text)
		}
	}
	if status := command.Run("linear", []string{"-only=no such part"}, io.Discard, &stderr, parseSettings, measure); status != 1 {
		t.Errorf("a part that does not exist: status %d", status)
	}
}

// TestKeys measures filters of some number of keys.
func TestKeys(t *testing.T) {
	s, p := &settings{rounds: 1, queries: 64}, new(part)
	if err := s.keys(p, 1000); err != nil {
		t.Fatal(err)
	}
	if len(p.Keys) != len(byKeys)+len(fuseBits) {
		t.Fatalf("%d filters", len(p.Keys))
	}
	for _, k := range p.Keys {
		if linear := strings.HasPrefix(k.Filter, "Linear"); len(k.Build) != 1 || len(k.One) != 1 || len(k.Plan) == 1 != linear || len(k.Batch) == 1 != linear {
			t.Errorf("%+v", k)
		}
	}
	table := (&results{map[string]*part{"100 to 1,000,000 keys": p}}).buildingTable()
	if !strings.Contains(table, "\n| 1,000 | ") || strings.Count(table, " / ") != 2+2+1 {
		t.Error(table)
	}
}

// TestManyKeys measures filters of too many keys for binary fuse to be built, which the page says.
func TestManyKeys(t *testing.T) {
	s, p := &settings{rounds: 2, queries: 64}, new(part)
	if err := s.manyKeys(p, 1000); err != nil {
		t.Fatal(err)
	}
	if len(p.Keys) != len(byKeys)+len(fuseBits) {
		t.Fatalf("%d filters", len(p.Keys))
	}
	for _, k := range p.Keys {
		if linear := strings.HasPrefix(k.Filter, "Linear"); len(k.One) != 2 || len(k.Build) == 1 != linear || len(k.Plan) == 1 != linear {
			t.Errorf("%+v", k)
		}
	}
	table := (&results{map[string]*part{"1,000,000,000 keys": p}}).buildingTable()
	if !strings.Contains(table, " | – / – |\n") || !strings.Contains(table, "not enough memory") {
		t.Error(table)
	}
}

// TestLargeFuse: a filter that is not built is as large as one that is.
func TestLargeFuse(t *testing.T) {
	hashes := make([]uint64, 100_000)
	fillHashes(hashes, 0)
	built, err := new(fuseKind[uint16]).build(hashes)
	if err != nil {
		t.Fatal(err)
	}
	other, want := newFuse[uint16](len(hashes)), built.(*fuseFilter[uint16])
	if len(other.Fingerprints) != len(want.Fingerprints) || other.SegmentLength != want.SegmentLength || other.SegmentCountLength != want.SegmentCountLength ||
		other.SegmentLengthMask != want.SegmentLengthMask || other.SegmentCount != want.SegmentCount {
		t.Errorf("%d fingerprints, want %d", len(other.Fingerprints), len(want.Fingerprints))
	}
}
