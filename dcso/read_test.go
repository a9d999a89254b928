package dcso_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

func compress(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRead reads filters of all sizes about those at which memory grows, in gzip and not, and from files.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.bloom")
	for _, n := range []uint64{1, 1000, 875_000, 1_500_000, 2_000_000} {
		for _, size := range []int{0, 1, 5000} {
			m, err := dcso.New(n, 0.01)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 100 {
				m.Add(key(i))
			}
			m.SetData(bytes.Repeat([]byte{7}, size))
			for i, data := range [][]byte{m.Bytes(), compress(t, m.Bytes())} {
				f, err := dcso.Read(iotest.DataErrReader(bytes.NewReader(data)))
				if err != nil || !bytes.Equal(f.Bytes(), m.Bytes()) {
					t.Fatalf("n %d, %d bytes of data, gzip %d: %v", n, size, i, err)
				}
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				file, err := dcso.OpenFile(path)
				if err != nil || !bytes.Equal(file.Bytes(), m.Bytes()) || !file.Contains(key(0)) || file.EstimatedFPR() != m.Filter().EstimatedFPR() {
					t.Fatalf("n %d, %d bytes of data, gzip %d: %v", n, size, i, err)
				}
				file.Close()
			}
		}
	}
	f, err := dcso.Read(bytes.NewReader(stored(t, "multiply.bloom.gz")))
	if err != nil || !bytes.Equal(f.Bytes(), stored(t, "multiply.bloom")) {
		t.Error(err)
	}
	f, err = dcso.Read(iotest.OneByteReader(bytes.NewReader(stored(t, "seeded.bloom"))))
	if err != nil || !f.Contains(key(1)) {
		t.Error(err)
	}
}

func TestReadOfCorruptBytes(t *testing.T) {
	whole := stored(t, "multiply.bloom")
	compressed := stored(t, "multiply.bloom.gz")
	for n := range whole[:len(whole)-10] {
		if _, err := dcso.Read(bytes.NewReader(whole[:n])); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	for n := range compressed {
		if _, err := dcso.Read(bytes.NewReader(compressed[:n])); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatalf("%d bytes of gzip: %v", n, err)
		}
		flipped := bytes.Clone(compressed)
		flipped[n] ^= 0x10
		if f, err := dcso.Read(bytes.NewReader(flipped)); err == nil && !bytes.Equal(f.Bytes(), whole) || err != nil && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatalf("byte %d of gzip: %v", n, err)
		}
	}
	broken := errors.New("broken")
	for _, n := range []int{0, 10, 60, len(whole)} {
		if _, err := dcso.Read(io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	// A name in gzip's header puts the filter's header behind the first bytes.
	named := slices.Concat(compressed[:3], []byte{8}, compressed[4:10], bytes.Repeat([]byte{'a'}, 50), []byte{0}, compressed[10:])
	for n := range named {
		if _, err := dcso.Read(io.MultiReader(bytes.NewReader(named[:n]), iotest.ErrReader(broken))); !errors.Is(err, broken) || errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%d bytes of gzip: %v", n, err)
		}
	}
	for _, data := range [][]byte{whole, named} { // the reader has an error once
		if _, err := dcso.Read(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(data)))); !errors.Is(err, iotest.ErrTimeout) {
			t.Error(err)
		}
	}
}

// TestCorruptHeadersEndReading: what is behind them is not read.
func TestCorruptHeadersEndReading(t *testing.T) {
	r := bytes.NewReader(header(1, 10, 0.01, 0, 95, 1<<20))
	if _, err := dcso.Read(r); !errors.Is(err, simdbloom.ErrCorrupt) || r.Len() < 1<<19 {
		t.Errorf("%d bytes are left, %v", r.Len(), err)
	}
}

// TestMemoryGrowsWithBytes has a header of 2^50 bits and no bits, and a filter of 16 MiB, for which it doubles.
func TestMemoryGrowsWithBytes(t *testing.T) {
	cut, whole := header(1, 1000, 0.01, 7, 1<<50, 100), header(1, 1000, 0.01, 7, 1<<27, 16<<20)
	for _, c := range []struct {
		data  []byte
		fails error
		most  uint64
	}{{cut, simdbloom.ErrCorrupt, 8 << 20}, {compress(t, cut), simdbloom.ErrCorrupt, 8 << 20}, {whole, nil, 64 << 20}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := dcso.Read(bytes.NewReader(c.data)); !errors.Is(err, c.fails) {
			t.Error(err)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > c.most {
			t.Errorf("%d bytes: %d bytes of memory", len(c.data), n)
		}
	}
}

// TestClosedFiles uses what lookups and views have of a file that is closed while they run.
func TestClosedFiles(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would close a file that is left open
	folder := t.TempDir()
	path := filepath.Join(folder, "a.bloom")
	if err := os.WriteFile(path, stored(t, "added.bloom"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := dcso.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if open, ok := testmem.OpenFiles(folder); ok && open > 0 {
		t.Errorf("%d files are open, though one is mapped", open)
	}
	view := f.WithRule(dcso.Added)
	f.Close()
	f.Close()
	for range 5 {
		runtime.GC()
		if hits := make([]bool, 1); true {
			if view.ContainsKeys([][]byte{key(3)}, hits); !hits[0] || !view.Contains(key(2)) {
				t.Fatal("no key")
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f.Contains(key(1))
}

// TestClosedFilesAreUnmapped when nothing refers to them.
func TestClosedFilesAreUnmapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.bloom")
	if err := os.WriteFile(path, stored(t, "multiply.bloom"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := dcso.OpenFile(path)
	if err != nil || !f.Contains(key(1)) {
		t.Fatal(err)
	}
	if n := testmem.Mappings(t, path); n != 1 {
		t.Errorf("mapped %d times", n)
	}
	f.Close()
	testmem.Collect(t, path)
}

func TestFilesThatAreNone(t *testing.T) {
	folder := t.TempDir()
	if _, err := dcso.OpenFile(folder); err == nil || errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
	if _, err := dcso.OpenFile(filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	for _, data := range [][]byte{nil, make([]byte, 100), []byte("text"), stored(t, "multiply.bloom")[:100]} {
		path := filepath.Join(folder, "a")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := dcso.OpenFile(path); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%q: %v", data, err)
		}
	}
}
