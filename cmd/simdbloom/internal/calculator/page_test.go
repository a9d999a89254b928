package main

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

var stored = filepath.Join("..", "..", "..", "..", "docs", "calculator", "index.html")

func readPage(t *testing.T) (text string, d *data) {
	t.Helper()
	whole, err := os.ReadFile(stored)
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(page, dataMark)
	text = strings.ReplaceAll(string(whole), "\r\n", "\n")
	if !strings.HasPrefix(text, before) || !strings.HasSuffix(text, after) {
		t.Fatal("docs/calculator/index.html is not page.html: make pages")
	}
	d = new(data)
	if err := json.Unmarshal([]byte(text[len(before):len(text)-len(after)]), d); err != nil {
		t.Fatal(err)
	}
	return text, d
}

// TestPageIsCurrent computes some of the page's numbers again. All of them take a minute.
func TestPageIsCurrent(t *testing.T) {
	text, d := readPage(t)
	if !reflect.DeepEqual(d.Keys, keysShown()) || !reflect.DeepEqual(d.Rates, ratesShown()) {
		t.Fatal("other keys or rates: make pages")
	}
	if again, err := write(d); err != nil || string(again) != text {
		t.Errorf("its numbers, written again, are other bytes: %v", err)
	}
	random := rand.New(rand.NewPCG(rand.Uint64(), 0))
	// Some are of no filter, one, and many.
	keys := []int{0, random.IntN(len(d.Keys)), len(d.Keys) - 1}
	rates := []int{0, random.IntN(len(d.Rates)), len(d.Rates) - 1}
	var someKeys []int64
	var someRates []float64
	for i := range keys {
		someKeys, someRates = append(someKeys, d.Keys[keys[i]]), append(someRates, d.Rates[rates[i]])
	}
	made := compute(someKeys, someRates)
	for i := range d.Formats { // those numbers of the page
		f := &d.Formats[i]
		var sizes, overfilled []string
		for _, k := range keys {
			row := strings.Split(f.Sizes[k], ",")
			sizes = append(sizes, strings.Join([]string{row[rates[0]], row[rates[1]], row[rates[2]]}, ","))
		}
		for _, r := range rates {
			overfilled = append(overfilled, f.Overfilled[r])
		}
		f.Sizes, f.Overfilled = sizes, overfilled
	}
	if !reflect.DeepEqual(made.Formats, d.Formats) || !reflect.DeepEqual(made.Over, d.Over) {
		t.Errorf("keys %v, rates %v:\n%+v\non the page:\n%+v\nmake pages", someKeys, someRates, made.Formats, d.Formats)
	}
}

// TestPageIsWritten to the file of -o, or an error is returned.
func TestPageIsWritten(t *testing.T) {
	out := filepath.Join(t.TempDir(), "page.html")
	keys, rates := []int64{1000}, []float64{0.01}
	if err := run([]string{"-o", out}, keys, rates); err != nil {
		t.Fatal(err)
	}
	want, _ := write(compute(keys, rates))
	if got, err := os.ReadFile(out); err != nil || string(got) != string(want) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(want), err)
	}
	for _, args := range [][]string{nil, {"-x"}, {"-o", out, "-x"}} {
		if err := run(args, keys, rates); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	if _, err := write(&data{Over: []float64{math.NaN()}}); err == nil {
		t.Error("NaN is written")
	}
	if info, err := os.Stat(out); err != nil || info.Mode()&0o111 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	defer func(was string) { page = was }(page)
	for _, page = range []string{"", dataMark + dataMark} {
		if err := run([]string{"-o", out}, keys, rates); err == nil {
			t.Errorf("%q: no error", page)
		}
	}
}

// TestPageIsAlone: it loads nothing, and is small.
func TestPageIsAlone(t *testing.T) {
	text, _ := readPage(t)
	if len(text) > 300_000 {
		t.Errorf("%d bytes", len(text))
	}
	if loads := regexp.MustCompile(`(?i)\bsrc=|@import|url\(|fetch\(|XMLHttpRequest|<link [^>]*href="[^d]`).FindString(text); loads != "" {
		t.Errorf("it loads something: %s", loads)
	}
}
