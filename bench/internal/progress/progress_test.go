package progress

import (
	"os"
	"path/filepath"
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
			for i := range 25 {
				time.Sleep(step)
				bar.Add(1)
				bar.To(i + 1)
			}
			bar.Done()
		}
	})
	got, err := os.ReadFile(name)
	if want := "Long: 3 %, 1m37s left\nLong: 14 %, 1m26s left\nLong: 25 %, 1m15s left\n"; err != nil || string(got) != want {
		t.Errorf("%q, want %q; %v", got, want, err)
	}
}
