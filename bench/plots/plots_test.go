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
		formats := strings.HasPrefix(name, "formats-")
		for _, p := range run.Peers {
			want := (p.Own || !formats) && (len(p.Sizes) > 0 || strings.HasSuffix(name, "rate.svg"))
			if shown := bytes.Contains(text, []byte(">"+p.Name+"</text>")); shown != want {
				t.Errorf("%s shows %s: %v", name, p.Name, shown)
			}
		}
	}
	for _, name := range []string{"rates", "small", "middle", "large", "spread"} {
		for _, p := range run.Peers {
			want := len(p.Sizes) > 0 || name == "rates"
			if has := strings.Contains(tables[name](run), "| "+nameOf(p)+" |"); has != want {
				t.Errorf("table %q has %s: %v", name, p.Name, has)
			}
		}
	}
	for _, p := range run.Peers {
		if text := conditions(run); len(p.Sizes) == 0 && !strings.Contains(text, p.Name) {
			t.Errorf("%s is not said to be untimed: %s", p.Name, text)
		}
	}
}

// TestConditions: a page says on which machine a run was, and what it is to be read with.
func TestConditions(t *testing.T) {
	run := &results.Run{RateKeys: 1000, MostRateQueries: 2000, Load: 3.14, Note: "A test ran.", Peers: []*results.Peer{{Name: "none"}}}
	want := "Rates: 1,000 keys a filter, at most 2,000 queries a rate.\n" +
		"The system's load average was up to 3.1 while times were measured, of which 1 is the program's own.\n" +
		"Not timed in this run: none.\nA test ran.\n"
	if got := conditions(run); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSpreadIsDrawn: a slower round makes the bars of a format longer, and not the lines.
func TestSpreadIsDrawn(t *testing.T) {
	run := load(t)
	draw := func(name string) string {
		text, err := figures[name](run)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	formats, all := draw("formats-build.svg"), draw("build.svg")
	builds := run.Peer("Paired").At(results.Middle, results.TimedRates[0]).Build
	slowest := slices.Index(builds, builds.Most())
	builds[slowest] *= 1.1
	if draw("formats-build.svg") == formats {
		t.Error("the spread is not drawn")
	}
	if draw("build.svg") != all {
		t.Error("the plot of all peers is not of the medians")
	}
}

// TestLinesCanBeTold: every line has a style of its own, which others keep if one of ours is left
// out.
func TestLinesCanBeTold(t *testing.T) {
	run := load(t)
	all, err := falsePositiveRates(run)
	if err != nil {
		t.Fatal(err)
	}
	newer := []string{"Linear", "Ribbon", "Legacy", "LevelDB"}
	fewer := *run
	fewer.Peers = slices.DeleteFunc(slices.Clone(run.Peers), func(p *results.Peer) bool { return slices.Contains(newer, p.Name) })
	without, err := falsePositiveRates(&fewer)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]string)
	for _, p := range run.Peers {
		style := styleIn(all, p.Name)
		if other, ok := seen[style]; ok {
			t.Errorf("%s and %s are drawn as %s", p.Name, other, style)
		}
		seen[style] = p.Name
		if !slices.Contains(newer, p.Name) && styleIn(without, p.Name) != style {
			t.Errorf("%s is drawn as %s, and as %s", p.Name, style, styleIn(without, p.Name))
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
