package consumer

import (
	"encoding/json"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	written = regexp.MustCompile(`(?s)<!-- \w+: [\w-]+ -->.*?<!-- end -->`)
	fenced  = regexp.MustCompile("(?s)```.*?```")
	command = regexp.MustCompile(`(?m)^ +(go|make) |go test `)
	// figures are numbers with a unit of time, of speed or of rates.
	figures = regexp.MustCompile(`\b(1 in )?(\d[\d,]*(?:\.\d+)?) ?(ns|µs|ms|seconds|s|GB/s|MB/s|%|times)?\b?`)
)

// TestFiguresAreMeasured: a figure in a page's prose is one of a file in bench, or stands in a section that has the
// command which gives it. Tables that programs write are compared by their tests.
func TestFiguresAreMeasured(t *testing.T) {
	measured := numbersIn(t, "accuracy.json", "compare.json", "db_bench.json", "parquet.json")
	for _, page := range []string{"README.md", "docs/choosing.md", "docs/measured.md", "docs/pebble.md", "docs/goleveldb.md", "docs/engines.md", "docs/files.md", "docs/migrating.md", "docs/parquet.md", "docs/rocksdb.md"} {
		text := written.ReplaceAllString(read(t, filepath.Join(clone(t), page)), "")
		for _, section := range regexp.MustCompile(`(?m)^#+ `).Split(text, -1) {
			if command.MatchString(section) {
				continue
			}
			section = fenced.ReplaceAllString(section, "")
			for _, found := range figures.FindAllStringSubmatch(section, -1) {
				figure := strings.TrimSpace(found[0])
				if found[1] == "" && found[3] == "" {
					continue
				}
				digits := strings.ReplaceAll(found[2], ",", "")
				value, err := strconv.ParseFloat(digits, 64)
				if err != nil {
					t.Fatal(figure, err)
				}
				if !slices.ContainsFunc(measured, func(x float64) bool { return rounded(x, digits) == value }) {
					title, _, _ := strings.Cut(section, "\n")
					t.Errorf("%s, %q: %q is in no file of bench, and there is no command that gives it", page, title, figure)
				}
			}
		}
	}
}

// rounded rounds a number to as many digits as another one is written with.
func rounded(x float64, digits string) float64 {
	_, fraction, _ := strings.Cut(digits, ".")
	unit := math.Pow10(-len(fraction))
	if fraction == "" {
		unit = math.Pow10(len(digits) - len(strings.TrimRight(digits, "0")))
	}
	return math.Round(x/unit) * unit
}

// numbersIn returns all numbers of files in bench, rates also in percent and as one in how many.
func numbersIn(t *testing.T, names ...string) (all []float64) {
	t.Helper()
	var add func(value any)
	add = func(value any) {
		switch v := value.(type) {
		case float64:
			all = append(all, v)
			if v > 0 && v < 1 {
				all = append(all, 100*v, 1/v)
			}
		case []any:
			for _, one := range v {
				add(one)
			}
		case map[string]any:
			for _, one := range v {
				add(one)
			}
		}
	}
	for _, name := range names {
		var content any
		if err := json.Unmarshal([]byte(read(t, filepath.Join(clone(t), "bench", name))), &content); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		add(content)
	}
	return all
}
