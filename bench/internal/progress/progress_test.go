package progress

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestALogGetsLines, but not about work that is done soon.
func TestALogGetsLines(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	log, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	synctest.Test(t, func(t *testing.T) {
		for work, step := range map[string]time.Duration{"Short": time.Second / 100, "Long": time.Second} {
			bar := Start(log, work, 100)
			for range 25 {
				time.Sleep(step)
				bar.Add(1)
			}
			bar.Done()
		}
	})
	got, err := os.ReadFile(name)
	if want := "Long: 3 %\nLong: 14 %\nLong: 25 %\n"; err != nil || string(got) != want {
		t.Errorf("%q, want %q; %v", got, want, err)
	}
}

func TestNothingIsShownInMemory(t *testing.T) {
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		bar := Start(&out, "Work", 2)
		time.Sleep(time.Hour)
		bar.Add(1)
		bar.Done()
	})
	if out.Len() > 0 {
		t.Errorf("%q", &out)
	}
}

func TestABarEndsWhereItsStepsDo(t *testing.T) {
	var out bytes.Buffer
	b := newBar(&out, "Work", 100, true)
	for range 4 {
		b.Add(30) // 120 in all
	}
	b.Done()
	text := out.String()
	if !strings.Contains(text, "\rWork  30 % [=========  ") || !strings.Contains(text, "100 % [") || strings.Contains(text, "120 %") {
		t.Errorf("%q", text)
	}
	if !strings.HasSuffix(text, " left\x1b[K\r\x1b[K") {
		t.Errorf("the bar stays: %q", text)
	}
}
