package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

func load(t *testing.T) *results.Run {
	t.Helper()
	run, err := results.Load("../peers.json")
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestCommitted compares the committed plots and pages with what is drawn from the
// committed run.
func TestCommitted(t *testing.T) {
	files, err := filesOf(load(t), "../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(figures)+len(pages) {
		t.Errorf("%d files, want %d", len(files), len(figures)+len(pages))
	}
	for name, want := range files {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what bench/peers.json says (make plots writes it again)", name)
		}
	}
}

// TestEveryPeerIsShown looks for every peer in every plot and in the tables of all peers.
func TestEveryPeerIsShown(t *testing.T) {
	run := load(t)
	for name, figure := range figures {
		text, err := figure(run)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range run.Peers {
			if !bytes.Contains(text, []byte(">"+p.Name+"</text>")) {
				t.Errorf("%s does not show %s", name, p.Name)
			}
		}
	}
	for _, name := range []string{"rates", "small", "middle", "large"} {
		for _, p := range run.Peers {
			if !strings.Contains(tables[name](run), p.Name) {
				t.Errorf("table %q does not have %s", name, p.Name)
			}
		}
	}
}

// TestARunWithLinearFilters adds a peer to the committed run, which was before there were
// linear filters: its line has steps, and other lines keep their styles.
func TestARunWithLinearFilters(t *testing.T) {
	run := load(t)
	before, err := falsePositiveRates(run)
	if err != nil {
		t.Fatal(err)
	}
	if run.Peer("Linear") == nil {
		linear := &results.Peer{Name: "Linear", Own: true, Steps: true, Sizes: run.Peers[1].Sizes, Rates: []*results.Rate{
			{BitsPerKey: 8.3, Queries: 256_000, FalsePositives: 1000},
			{BitsPerKey: 9.3, Queries: 512_000, FalsePositives: 1000},
			{BitsPerKey: 10.4, Queries: 1_024_000, FalsePositives: 1000},
		}}
		run.Peers = slices.Insert(run.Peers, 2, linear)
	}
	after, err := falsePositiveRates(run)
	if err != nil {
		t.Fatal(err)
	}
	style := func(svg []byte, name string) string {
		legend, _, _ := strings.Cut(string(svg), ">"+name+"</text>")
		line := legend[strings.LastIndex(legend, "<path"):]
		return line[strings.Index(line, "style="):strings.Index(line, "/>")]
	}
	seen := make(map[string]string)
	for _, p := range run.Peers {
		if p.Name != "Linear" && style(before, p.Name) != style(after, p.Name) {
			t.Errorf("%s is drawn as %s, and as %s", p.Name, style(before, p.Name), style(after, p.Name))
		}
		seen[style(after, p.Name)] = p.Name
	}
	if seen[style(after, "Linear")] != "Linear" {
		t.Errorf("%s is drawn as Linear", seen[style(after, "Linear")])
	}
	for _, want := range []string{"| **Linear** |", "| bits/key at 0.1 % | 15.6 | 14.7 | 10.4 |"} {
		if text := summary(run) + rates(run); !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

func TestWithTables(t *testing.T) {
	run := load(t)
	page, err := withTables([]byte("a\n<!-- peers: run -->\nold\n<!-- end -->\nb\n"), run)
	if want := "a\n<!-- peers: run -->\n\n" + describe(run) + "\n<!-- end -->\nb\n"; err != nil || string(page) != want {
		t.Errorf("%q, %v, want %q", page, err, want)
	}
	if _, err := withTables([]byte("<!-- peers: other -->\n<!-- end -->\n"), run); err == nil {
		t.Error("an unknown table is no error")
	}
}

func TestTicksAround(t *testing.T) {
	if from, to := oneTwoFive.around(3, 170); from != 2 || to != 200 {
		t.Errorf("around 3 to 170: %v to %v", from, to)
	}
	if from, to := powersOfTen.around(10, 1000); from != 10 || to != 1000 {
		t.Errorf("around 10 to 1000: %v to %v", from, to)
	}
}
