package progress

import (
	"bytes"
	"os"
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
