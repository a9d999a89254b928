package main

import (
	"strings"
	"testing"
)

// run measures a section's experiments.
func (p plan) run(t *testing.T) {
	t.Helper()
	for _, e := range p.all() {
		if err := e.run(func(int) {}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRibbonFilters(t *testing.T) {
	fewKeys(t)
	p := make(plan)
	section := newRibbons(small, p)
	p.run(t)
	if err := section.check(); err != nil {
		t.Error(err)
	}
	for i, want := range []float64{7.08, 10.68} {
		if e := section.rows[i]; e.positives < 50 || e.storedBits() < want-0.1 || e.storedBits() > want+0.1 {
			t.Errorf("%s: %d false positives, %v bits/key", e, e.positives, e.storedBits())
		}
	}
	section.rows[0].predicted *= 1.2
	section.rows[1].estimated *= 2
	if err := section.check(); err == nil || !strings.Contains(err.Error(), ", predicted ") || !strings.Contains(err.Error(), ", estimated ") {
		t.Error(err)
	}
}

// TestTheSameRateInLessMemory also changes what experiments found.
func TestTheSameRateInLessMemory(t *testing.T) {
	fewKeys(t)
	p := make(plan)
	r := newSameRates(small, p)
	p.run(t)
	if err := r.check(); err != nil {
		t.Error(err)
	}
	for _, row := range r.rows {
		bloom, linear, ribbon := row[0], row[2], row[3]
		if ribbon.bitsPerKey != bloom.bitsPerKey || ribbon.storedBits() > 0.75*bloom.storedBits() || linear.storedBits() > 0.8*bloom.storedBits() {
			t.Errorf("%s: %v bits/key, Linear %v, Ribbon %v", bloom, bloom.storedBits(), linear.storedBits(), ribbon.storedBits())
		}
		for _, e := range row {
			if e.predicted > 1.001*bloom.predicted {
				t.Errorf("%s: rate %v, FastLocal's %v", e, e.predicted, bloom.predicted)
			}
		}
	}
	var text strings.Builder
	r.write(&text)
	for _, part := range []string{"| FastLocal's bits/key | FastLocal | Paired-128 | Linear | Ribbon |", "\n| 10 | 10.04 (1 in ", " | 7.04 (1 in ", " | 70 % |"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("no %q in\n%s", part, text.String())
		}
	}
	e := r.rows[0][3]
	e.positives *= 2
	if err := r.check(); err == nil || !strings.Contains(err.Error(), "Ribbon, 10000 keys") {
		t.Error(err)
	}
	e.positives = 0
	if got := e.oneInCell(); !strings.HasPrefix(got, "1 in more than 3") {
		t.Error(got)
	}
}
