//go:build unix

package mmap

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestCount: what is mapped counts until the garbage collector unmaps it, up to Most, and nothing else does.
func TestCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := OpenRegular(path)
	if err != nil {
		t.Fatal(err)
	}
	before := Count.Load()
	m, err := Open(file, 4)
	if err != nil || string(m.Bytes()) != "0123" || Count.Load() != before+1 {
		t.Fatalf("%d are mapped, and %d before: %v", Count.Load(), before, err)
	}
	for _, part := range [][]byte{nil, m.Bytes(), m.Bytes()[2:3]} {
		ReadAhead(part)
	}
	Random(m.Bytes())
	Count.Add(Most - before - 1) // now there are all
	if m, err := Open(file, 4); m != nil || !errors.Is(err, errors.ErrUnsupported) || Count.Load() != Most {
		t.Errorf("%d are mapped: %v", Count.Load(), err)
	}
	Count.Add(-1)
	last, err := Open(file, 4)
	if err != nil || Count.Load() != Most {
		t.Errorf("%d are mapped: %v", Count.Load(), err)
	}
	Count.Add(before + 2 - Most)
	file.Close()
	if m, err := Open(file, 4); m != nil || err == nil || Count.Load() != before+2 {
		t.Errorf("a closed file: %v, %d are mapped", err, Count.Load())
	}
	runtime.KeepAlive(m)
	runtime.KeepAlive(last)
	for range 300 {
		if runtime.GC(); Count.Load() == before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d are mapped, and %d before", Count.Load(), before)
}
