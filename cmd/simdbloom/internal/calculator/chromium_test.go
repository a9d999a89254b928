//go:build chromium

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
)

// TestPageEqualsCommand opens the page in Chromium, and compares what it shows with what "simdbloom size" prints.
func TestPageEqualsCommand(t *testing.T) {
	folder := t.TempDir()
	command := filepath.Join(folder, "simdbloom")
	if output, err := exec.Command("go", "build", "-o", command, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	path, err := filepath.Abs(stored)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ keys, fpr string }{
		{"1000000", "0.001"},
		{"1000", "0.1"},
		{"70000", "0.00002"},
		{"1e9", "1e-6"},
		{"1e12", "1e-9"},
		{"2e7", "0.01"},
		{"1234567", "1/55000"},
		{"1001", "0.09"},
		{"12345", "1/777"},
		{"123456789", "1/3000000"},
		{"987654321", "1/150"},
		{"3210987654321", "1/2000"},
		{"999", "1/100"},
		{"7", "1/20"},
		{"4194305", "1/99999999"},
		{"2345678901", "0.5"},
	} {
		printed, err := exec.Command(command, "size", "-json", "-keys="+c.keys, "-fpr="+c.fpr).Output()
		if err != nil {
			t.Fatal(err)
		}
		fpr := c.fpr
		if n, divides := strings.CutPrefix(fpr, "1/"); divides {
			whole, _ := strconv.Atoi(n)
			fpr = strconv.FormatFloat(1/float64(whole), 'g', -1, 64)
		}
		dom := opened(t, path, "keys="+c.keys+"&fpr="+fpr)
		compare(t, dom, string(printed))
		if n := strings.Count(dom, "<polyline"); n < 6 {
			t.Errorf("%d curves", n)
		}

		// The same numbers in the fields beside the sliders.
		typed := fmt.Sprintf(`<script>for (const [id, number] of [["keysNumber", %s], ["rateNumber", 1 / (%s)]]) {
	$(id).value = number;
	$(id).dispatchEvent(new Event("change"));
}</script></body>`, c.keys, c.fpr)
		text, _ := readPage(t)
		changed := filepath.Join(folder, "typed.html")
		if err := os.WriteFile(changed, []byte(strings.Replace(text, "</body>", typed, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		compare(t, opened(t, changed, ""), string(printed))
	}
}

// TestOverlappingCurves: Ribbon's curves are drawn over Linear's, with gaps in which these are seen.
func TestOverlappingCurves(t *testing.T) {
	path, err := filepath.Abs(stored)
	if err != nil {
		t.Fatal(err)
	}
	dom := opened(t, path, "")
	if !strings.Contains(dom, "svg .ribbon { stroke-dasharray: ") {
		t.Error("Ribbon's curves have no gaps")
	}
	for _, figure := range []string{"memory", "over"} {
		_, drawn, _ := strings.Cut(dom, `<figure id="`+figure+`">`)
		drawn, _, _ = strings.Cut(drawn, "</figure>")
		linear, ribbon := strings.Index(drawn, `class="curve linear`), strings.Index(drawn, `class="curve ribbon`)
		if linear < 0 || ribbon < linear {
			t.Errorf("%s: Linear's curve is at %d, Ribbon's at %d", figure, linear, ribbon)
		}
	}
}

// opened returns the elements of a page as Chromium makes them.
func opened(t *testing.T, path, fragment string) string {
	t.Helper()
	browser := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+filepath.ToSlash(path)+"#"+fragment)
	dom, err := browser.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(dom)
}

var (
	rows  = regexp.MustCompile(`<tr data-format="(\w+)".*?</tr>`)
	cells = regexp.MustCompile(`<td data-label="([^"]*)"[^>]*><span>([^<]*)`)
)

func compare(t *testing.T, dom, printed string) {
	t.Helper()
	found := rows.FindAllStringSubmatch(dom, -1)
	if len(found) != len(shown()) {
		t.Fatalf("%d rows\n%s", len(found), dom)
	}
	is := make(map[string]map[string]string)
	for _, row := range found {
		is[row[1]] = make(map[string]string)
		for _, cell := range cells.FindAllStringSubmatch(row[0], -1) {
			is[row[1]][cell[1]] = cell[2]
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(printed), "\n") {
		var r struct {
			Format, Readers string
			Possible        bool
			Bytes           int64
			FPR             float64
			BitsPerKey      float64 `json:"bits_per_key"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		row := is[r.Format]
		if row == nil {
			continue // an older format
		}
		want := map[string]string{"Bits/key": "–", "Bytes": "has no such rate", "Rate: 1 in": "–", "Also read by": r.Readers}
		if r.Possible {
			want["Bits/key"], want["Bytes"] = fmt.Sprintf("%.2f", r.BitsPerKey), figures.Thousands(r.Bytes)
			want["Rate: 1 in"] = strings.TrimPrefix(figures.OneIn(r.FPR), "1 in ")
		}
		if row["Bytes"] == "–" && layouts[r.Format] == nil { // outside of what the page has of this format
			continue
		}
		for label, text := range want {
			got, interpolated := strings.CutPrefix(row[label], "≈ ")
			if most, interpolated := strings.CutPrefix(got, "at least "); interpolated && layouts[r.Format] == nil && ratio(most, text) <= 1 {
				continue
			}
			if interpolated && layouts[r.Format] == nil && math.Abs(ratio(got, text)-1) <= 0.05 {
				continue
			}
			if interpolated || got != text && !nearly(got, text) {
				t.Errorf("%s, %s: %q, and the command has %q", r.Format, label, got, text)
			}
		}
	}
}

// nearly compares numbers of which one was rounded twice, to six digits before.
func nearly(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && x-y < 0.0101 && y-x < 0.0101
}

// ratio is NaN where there are no two numbers.
func ratio(a, b string) float64 {
	x, err1 := strconv.ParseFloat(strings.ReplaceAll(a, ",", ""), 64)
	y, err2 := strconv.ParseFloat(strings.ReplaceAll(b, ",", ""), 64)
	if err1 != nil || err2 != nil {
		return math.NaN()
	}
	return x / y
}
