package progress

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestNothingIsShownOutsideATerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var buffer bytes.Buffer
	show(Start(w, "in a pipe", 10))
	show(Start(&buffer, "in memory", 10))
	w.Close()
	var piped bytes.Buffer
	if _, err := piped.ReadFrom(r); err != nil || piped.Len()+buffer.Len() != 0 {
		t.Errorf("%q, %q, %v", piped.String(), buffer.String(), err)
	}
}

func show(b *Bar) {
	for range 10 {
		b.Add(1)
	}
	b.Done()
}

func TestABarEndsWhereItsStepsDo(t *testing.T) {
	var out bytes.Buffer
	b := newBar(&out, "Work", 100)
	for range 4 {
		b.Add(30) // 120 in all
	}
	b.Done()
	text := out.String()
	if !strings.Contains(text, "Work") || !strings.Contains(text, "100%") || strings.Contains(text, "120%") {
		t.Errorf("%q", text)
	}
	if after := text[strings.LastIndex(text, "%"):]; !strings.Contains(after, "\r ") || !strings.HasSuffix(after, "\r") {
		t.Errorf("the bar stays: %q", after)
	}
}
