package main

import (
	"encoding/json"
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
	_, d := readPage(t)
	formats := shown()
	if !reflect.DeepEqual(d.Keys, keysShown()) || !reflect.DeepEqual(d.Rates, ratesShown()) || len(d.Formats) != len(formats) {
		t.Fatal("other keys, rates or formats: make pages")
	}
	random := rand.New(rand.NewPCG(rand.Uint64(), 0))
	for i, f := range formats {
		got := d.Formats[i]
		if got.Name != f.Name || got.Readers != f.Readers || got.Absent != f.Absent || got.Present != f.Present || got.Grows != f.Grows {
			t.Errorf("%s: %+v: make pages", f.Name, got)
		}
		for range 10 {
			k, r := random.IntN(len(d.Keys)), random.IntN(len(d.Rates))
			if is, want := strings.Split(got.Sizes[k], ",")[r], cell(f, d.Keys[k], d.Rates[r]); is != want {
				t.Errorf("%s, %d keys at %v: %q, want %q: make pages", f.Name, d.Keys[k], d.Rates[r], is, want)
			}
		}
		r := random.IntN(len(d.Rates))
		if want := overfilled(f, d.Rates[r]); got.Overfilled[r] != want {
			t.Errorf("%s, overfilled, %v: %q, want %q: make pages", f.Name, d.Rates[r], got.Overfilled[r], want)
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
