package main

import (
	"bytes"
	"os"
	"regexp"
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

// TestARunWithMoreOfOurs adds peers to the committed run that were not there when it was made:
// the linear filter's line has steps, all lines differ, and others keep their styles.
func TestARunWithMoreOfOurs(t *testing.T) {
	run := load(t)
	before, err := falsePositiveRates(run)
	if err != nil {
		t.Fatal(err)
	}
	add := func(p *results.Peer) {
		if run.Peer(p.Name) == nil {
			p.Own, p.Sizes = true, run.Peers[1].Sizes
			at := slices.IndexFunc(run.Peers, func(p *results.Peer) bool { return !p.Own })
			run.Peers = slices.Insert(run.Peers, at, p)
		}
	}
	add(&results.Peer{Name: "Linear", Steps: true, Rates: []*results.Rate{
		{BitsPerKey: 8.3, Queries: 256_000, FalsePositives: 1000},
		{BitsPerKey: 9.3, Queries: 512_000, FalsePositives: 1000},
		{BitsPerKey: 10.4, Queries: 1_024_000, FalsePositives: 1000},
	}})
	add(&results.Peer{Name: "Ribbon", Rates: []*results.Rate{
		{BitsPerKey: 7.1, Queries: 1_050_000, FalsePositives: 10_000},
		{BitsPerKey: 10.9, Queries: 12_600_000, FalsePositives: 10_000},
	}})
	add(&results.Peer{Name: "Legacy", Rates: run.Peer("Pebble").Rates})
	after, err := falsePositiveRates(run)
	if err != nil {
		t.Fatal(err)
	}
	added := []string{"Linear", "Ribbon", "Legacy"}
	seen := make(map[string]string)
	for _, p := range run.Peers {
		style := styleIn(after, p.Name)
		if !slices.Contains(added, p.Name) && styleIn(before, p.Name) != style {
			t.Errorf("%s is drawn as %s, and as %s", p.Name, styleIn(before, p.Name), style)
		}
		if other, ok := seen[style]; ok {
			t.Errorf("%s is drawn as %s", other, p.Name)
		}
		seen[style] = p.Name
	}
	for _, want := range []string{"| **Linear** |", "| **Ribbon** |", "| **Legacy** |", "| bits/key at 0.1 % | 15.6 | 14.7 | 10.4 | 10."} {
		if text := summary(run) + rates(run); !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

var styleOfPath = regexp.MustCompile(`<path[^>]*style="([^"]*)"`)

// styleIn is how a peer's line and its points are drawn in the legend.
func styleIn(svg []byte, name string) string {
	legend, _, _ := strings.Cut(string(svg), ">"+name+"</text>")
	paths := styleOfPath.FindAllStringSubmatch(legend, -1)
	return paths[len(paths)-2][1] + paths[len(paths)-1][1]
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
