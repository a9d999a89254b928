package main

import (
	"bytes"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

// TestPageIsWhatTheProgramWrites measures a few settings of the committed page
// again.
func TestPageIsWhatTheProgramWrites(t *testing.T) {
	committed, err := os.ReadFile("../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	few := full
	few.grid = axes{[]int{10_000}, []float64{2, 4, 5, 6}}
	plan := make(plan)
	g := newGrid(few, plan)
	if err := runAll(plan.all(), new(progress.Bar)); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	g.write(&text)
	for line := range strings.Lines(text.String()) {
		if !strings.Contains(string(committed), line) {
			t.Errorf("accuracy.md has no %s(make accuracy remakes it)", line)
		}
	}
}

// fewKeys has the filters of a setting hold far fewer keys in all than those of the page.
func fewKeys(t *testing.T) {
	before := keysInAll
	keysInAll = 100_000
	t.Cleanup(func() { keysInAll = before })
}

// small is a scope that takes a second with few keys.
var small = scope{
	largeKeys: 20_000, largeQueries: 100_000, rareKeys: 1000, rareQueries: 100_000,
	linear:         []float64{8, 10, 16},
	ribbon:         append(points(10, 1000), points(16, 3000)...),
	sameRateKeys:   10_000,
	sameRate:       []float64{10, 16},
	legacy:         append(points(10, 1000), points(16, keysOf(16, 16385)...)...),
	levelDB:        points(10, 1000, 100_003),
	mostNarrow:     4,
	choice:         axes{[]int{1000}, []float64{10}},
	batches:        axes{[]int{300, 3000}, []float64{10}},
	scatter:        axes{[]int{1000}, []float64{10}},
	promise:        axes{[]int{1000}, []float64{0.01}},
	grid:           axes{[]int{100, 1000}, []float64{2, 10}},
	falsePositives: 1000, mostQueries: 100_000,
}

var everything = regexp.MustCompile("")

func TestWholePageOfASmallScope(t *testing.T) {
	fewKeys(t)
	page, err := measure(newPage(small, everything), os.Stderr)
	if err != nil {
		t.Error(err)
	}
	for _, part := range []string{
		"# How accurate", "## Large filters", "## Very low rates", "## Linear filters\n\n20,000 keys, 100,000 queries for each row.\n",
		"## Ribbon filters\n\nRocksDB's Ribbon filter.", "\n| 16 | 3,000 | 10.", "## Memory at the same rate\n\nBits per key that filters of 10,000 keys", "\n| 10 | 10.04 (1 in 10",
		"## Legacy filters\n\nRocksDB's full filter", "\n| 16 | 524,320 | 16,385 | 16.00 | ", "## LevelDB's filters\n\nLevelDB's filter", "\n| 10 | 100,003 | 10.00 | ",
		"## Which filter\n\nHow many", "## Which batch", "## A single filter",
		"## What BitsPerKeyFor promises", "## All settings\n\n\"standard\"", "### 100 keys", "### 1,000 keys", "| FastLocal | 23.4 | 23.43 |",
	} {
		if !strings.Contains(string(page), part) {
			t.Errorf("no %q in\n%s", part, page)
		}
	}
	if row := "| 10 | 300 |"; strings.Contains(string(page), row) { // 218 bits/key in a batch of 8 KiB
		t.Errorf("nothing to compare in %q", row)
	}
	for line := range strings.Lines(string(page)) {
		if strings.Contains(line, "NaN") || strings.Contains(line, "%!") {
			t.Errorf("in the page: %s", line)
		}
	}
}

// TestCheckFindsWhatIsOff changes what an experiment found.
func TestCheckFindsWhatIsOff(t *testing.T) {
	sound := experiment{kind: fastLocal, n: 1000, bitsPerKey: 10, bytes: 1285, perFilter: 125_000, filters: 8, positives: 10_000, predicted: 0.01, estimated: 0.01}
	if err := (&page{bloom: []*experiment{&sound}}).check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(e *experiment){
		"predicted": func(e *experiment) { e.predicted = 0.011 },
		"estimated": func(e *experiment) { e.estimated = 0.009 },
	} {
		e := sound
		change(&e)
		if err := (&page{bloom: []*experiment{&sound, &e}}).check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheckFindsABrokenPromise(t *testing.T) {
	e := &experiment{kind: fastLocal, n: 1000, bitsPerKey: 10, perFilter: 125_000, filters: 8, positives: 10_000, estimated: 0.01}
	for rate, kept := range map[float64]bool{0.01: true, 0.02: true, 0.0098: true, 0.0093: false} {
		if err := (&promises{[]promise{{e, rate}}}).check(); (err == nil) != kept {
			t.Errorf("rate %v: %v", rate, err)
		}
	}
}

// Values of the textbook formula: 10 bits/key and 7 probes give 0.82 %.
func TestStandardRate(t *testing.T) {
	for bits, want := range map[float64]float64{2: 0.393, 10: 0.00819, 16: 0.000459} {
		if got := standardRate(bits); math.Abs(got/want-1) > 0.005 {
			t.Errorf("%v bits/key: %v, want %v", bits, got, want)
		}
	}
}

func TestOneIn(t *testing.T) {
	for want, rate := range map[string]float64{
		"": 0, "1": 1, "2": 0.5, "103": 0.00967, "1,190": 0.00084, "15,600": 6.41e-5, "59,900": 1.67e-5, "1,000,000": 1e-6,
	} {
		if got := oneIn(rate); got != want {
			t.Errorf("%v: 1 in %s, want %s", rate, got, want)
		}
	}
}

// handMade is an experiment that found 400 false positives in 100,000 queries.
func handMade() *experiment {
	return &experiment{
		kind: fastLocal, n: 1000, bitsPerKey: 12, filters: 4, perFilter: 25_000, bytes: 1541,
		positives: 400, predicted: 0.0044, estimated: 0.0038, scatter: 0.00038,
	}
}

func TestCellsOfAnExperiment(t *testing.T) {
	e := handMade()
	for what, c := range map[string][2]string{
		"rate, with both deviations": {e.rateCell(), "0.004 ±11 %"},
		"predicted":                  {e.offCell(e.predicted), "+10.0 %"},
		"estimated":                  {e.offCell(e.estimated), "-5.0 %"},
		"ratio":                      {ratio(e, &experiment{filters: 1, perFilter: 1000, positives: 100}), "0.04"},
		"ratio of few":               {ratio(e, &experiment{filters: 1, perFilter: 1000, positives: 99}), "rare"},
		"thousands":                  {markdown.Thousands(5_000_000_000), "5,000,000,000"},
		"stored":                     {percent(e.storedBits(), "%.0f"), "1233 %"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %s, want %s", what, c[0], c[1])
		}
	}
	few := *e
	few.positives = 99
	if got := few.offCell(1); got != "" {
		t.Errorf("99 false positives tell %s", got)
	}
	few.positives = 0
	if got := few.rateCell(); got != "< 3.0e-05" {
		t.Errorf("no false positive: %s", got)
	}
}

func TestGridHasItsColumnsInOrder(t *testing.T) {
	g := &grid{axes: axes{[]int{1000}, []float64{12}}, cells: []*experiment{handMade(), handMade(), handMade()}}
	var text bytes.Buffer
	g.write(&text)
	cell := " | 12.33 | 0.004 ±11 % | +10.0 % | -5.0 %"
	if row := "| 12 | 0.00314" + strings.Repeat(cell, 3) + " |\n"; !strings.HasSuffix(text.String(), row) {
		t.Errorf("no %sin\n%s", row, text.String())
	}
}

func TestSummaryHasTheWorst(t *testing.T) {
	worse, rare := handMade(), handMade()
	worse.positives, worse.perFilter, worse.predicted = 10_000, 625_000, 0.0041 // measured 0.004
	rare.predicted = 1
	better := *worse
	better.predicted, better.estimated = 0.004, 0.00396
	var text bytes.Buffer
	(&page{bloom: []*experiment{&better, worse, rare}}).writeSummary(&text)
	for _, part := range []string{"In the 2 of 3 settings", "PredictedFPR is within 2.5 %", "EstimatedFPR within 5.0 %"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("no %q in %s", part, text.String())
		}
	}
}

func TestScatterIsThatOfAMean(t *testing.T) {
	e := make(plan).measure(fastLocal, 1000, 10, 1, 1)
	e.filters, e.perFilter = 4000, 1
	if err := e.run(func(int) {}); err != nil {
		t.Fatal(err)
	}
	if one := e.scatter * math.Sqrt(4000) / e.estimated; one < 0.05 || one > 0.06 { // 5.5 % of many runs
		t.Errorf("a single filter's scatter is %.3g", one)
	}
}

func TestSameBytes(t *testing.T) {
	for _, k := range kinds {
		for _, n := range []int{1000, 12_345, 1_000_000} {
			for _, b := range []float64{8, 10.24, 23.4} {
				bytes := paired128.bytes(n, b)
				same := k.sameBytes(n, bytes)
				if same > mostBits {
					continue
				}
				// Bits per key are whole thousandths, of which n may make more than a block.
				if got := k.bytes(n, same) / 64 * 64; got > bytes || got < bytes/64*64-n/8000 {
					t.Errorf("%s, %d keys: %d bytes, not %d", k.name, n, got, bytes)
				}
			}
		}
	}
}

func TestASettingIsMeasuredOnce(t *testing.T) {
	p := make(plan)
	a, b := p.measure(fastLocal, 1000, 10, 100, 1e9), p.measure(fastLocal, 1000, 10, 1_000_000, 1e9)
	if a != b || len(p.all()) != 1 || a.queries() < 1e8 {
		t.Errorf("%d experiments, %v queries", len(p.all()), a.queries())
	}
}

// TestPageHasTheProgramsText compares what is not measured.
func TestPageHasTheProgramsText(t *testing.T) {
	committed, err := os.ReadFile("../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	newPage(full, everything).write(&text)
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(line, "|") || strings.Contains(line, "settings") || strings.Contains(line, "EstimatedFPR within") {
			continue // it has figures
		}
		if !strings.Contains(string(committed), line) {
			t.Errorf("accuracy.md has no %s(make accuracy remakes it)", line)
		}
	}
}
