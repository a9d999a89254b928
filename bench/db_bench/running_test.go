package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestDurationEnds on a machine that may have much else to do.
func TestDurationEnds(t *testing.T) {
	out := runJSON(t, "-benchmarks=fillseq,readrandom,readwhilewriting", "-duration=1", "-threads=2", "-histogram")
	if r := out.result("fillseq"); r.Operations != 8000 { // which does not go by the time
		t.Errorf("%+v", r)
	}
	for _, name := range []string{"readrandom", "readwhilewriting"} {
		r := out.result(name)
		if r.Seconds < 0.9 || r.Seconds > 30 || r.Operations < 100 || r.Histogram.Count != r.Operations || r.Histogram.P99 < r.Histogram.P50 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestReadLatency(t *testing.T) {
	const latency = 2 * time.Millisecond
	out := runJSON(t, "-benchmarks=fillrandom,compact,readrandom", "-reads=50", "-cache_size=0", "-read_latency="+latency.String())
	r := out.result("readrandom")
	if least := time.Duration(r.Lookups.All) * latency; r.Lookups.All < 50 || r.Seconds < least.Seconds() {
		t.Errorf("%d blocks in %v s, less than %v", r.Lookups.All, r.Seconds, least)
	}
	const coarse = runtime.GOOS == "windows" // Pebble's clock has steps of up to 16 ms there
	if b := out.Background; b.FlushSeconds <= 0 && !coarse || b.CompactionSeconds <= 0 || b.FlushedBytes < 100_000 || b.CompactedBytes < 100_000 {
		t.Errorf("%+v", b)
	}
}

func TestInterruptCleansUp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no process can interrupt itself there")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	process, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for { // until the store is there, and so the signal is awaited
			if stores, _ := filepath.Glob(filepath.Join(dir, "db_bench*", "*.log")); len(stores) > 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if err := process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
	}()
	var stdout, stderr bytes.Buffer
	status := run(slices.Concat(small, []string{"-benchmarks=fillrandom", "-duration=60"}), &stdout, &stderr)
	<-ended
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 || status != 1 || !strings.Contains(stderr.String(), "interrupt") {
		t.Errorf("status %d, %q, left %v (%v)", status, stderr.String(), files, err)
	}
}
