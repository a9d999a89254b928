package filterfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// TestCloseDuringLookups: other goroutines' lookups are right, or panic as documented. The file
// is unmapped meanwhile, which would end the program if one still read it.
func TestCloseDuringLookups(t *testing.T) {
	s := fastLocal(t, 200_000)
	path := filepath.Join(t.TempDir(), "filter")
	if err := filterfile.WriteFile(path, s.filter); err != nil {
		t.Fatal(err)
	}
	for round := range 20 {
		var options []filterfile.OpenOption
		if round%2 == 1 {
			options = append(options, filterfile.WithLazyCheck())
		}
		f, err := filterfile.Open(path, options...)
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		var lookups atomic.Int64
		for g := range 4 {
			group.Add(1)
			go func() {
				defer group.Done()
				defer func() {
					if text, ok := recover().(string); !ok || !strings.Contains(text, "closed") {
						t.Errorf("panic: %v", text)
					}
				}()
				hits := make([]bool, 300)
				for i := g * 1000; ; i = (i + 300) % 199_000 {
					f.ContainsKeys(s.keys[i:i+300], hits)
					for _, hit := range hits {
						if !hit {
							t.Error("a key is lost")
							return
						}
					}
					lookups.Add(1)
				}
			}()
		}
		for lookups.Load() < 50 {
			time.Sleep(time.Millisecond)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		group.Wait()
		runtime.GC()
	}
}

func TestClosed(t *testing.T) {
	s := fastLocal(t, 100)
	path := filepath.Join(t.TempDir(), "filter")
	if err := filterfile.WriteFile(path, s.filter); err != nil {
		t.Fatal(err)
	}
	f, err := filterfile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := filterfile.New(f, filterfile.WithKeys(100)) // the same memory
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
	for _, f := range []*filterfile.File{f, new(filterfile.File)} {
		hits := make([]bool, 1)
		for i, lookup := range []func(){
			func() { f.Contains(nil) },
			func() { f.ContainsString("") },
			func() { f.ContainsHash(0) },
			func() { f.ContainsUint64(0) },
			func() { f.ContainsUint64s([]uint64{0}, hits) },
			func() { f.ContainsColumn(keyhash.Values([]uint64{0}), make([]uint64, 1)) },
			func() { f.AppendColumnHits(nil, keyhash.Values([]uint64{0})) },
			func() { f.ContainsHashes(nil, nil) },
			func() { f.ContainsHashBits(nil, nil) },
			func() { f.ContainsKeys(s.keys[:1], hits) },
			func() { f.AppendHits(nil, nil) },
			func() { f.Lookup()(0) },
			func() { simdbloom.AppendFilters(nil, []*simdbloom.Filter{f.Filter}, 0) },
			func() { f.EstimatedFPR() },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("lookup %d of a closed filter does not panic", i)
					}
				}()
				lookup()
			}()
		}
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "closed") {
					t.Errorf("Info of a closed filter panics with %q", text)
				}
			}()
			f.Info()
		}()
		for _, err := range []error{f.Err(), f.Check(), filterfile.WriteFile(path+".2", f)} {
			if !errors.Is(err, fs.ErrClosed) {
				t.Error(err)
			}
		}
		if _, err := f.MarshalBinary(); err == nil {
			t.Error("a closed filter was stored")
		}
	}
	for _, key := range s.keys {
		if !g.Contains(key) {
			t.Fatal("a key is lost")
		}
	}
	if err := f.UnmarshalBinary(must(g.MarshalBinary())); err != nil || !f.Contains(s.keys[0]) {
		t.Error("a closed Filter cannot be filled again:", err)
	}
}

// TestCopyOfAChangedFile: what is no filter any more cannot be copied. It stays mapped until both are
// closed, and is unmapped once: by then another file may be in its place.
func TestCopyOfAChangedFile(t *testing.T) {
	for _, copyFirst := range []bool{false, true} {
		b := must(linear.NewBuilder(16, keyhash.XX64))
		b.AddKeys(someKeys(900))
		path := filepath.Join(t.TempDir(), "filter")
		if err := filterfile.WriteFile(path, must(linear.Open(must(b.Finish()), keyhash.XX64))); err != nil {
			t.Fatal(err)
		}
		f := must(filterfile.Open(path))
		file := must(os.OpenFile(path, os.O_WRONLY, 0))
		must(file.WriteAt(make([]byte, f.SizeBytes()), f.Info().Offset))
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		c := &filterfile.File{Filter: f.CopyAligned()}
		if runtime.GOOS == "linux" && &c.Bytes()[0] != &f.Bytes()[0] {
			t.Error("zeros were copied as a linear filter")
		}
		first, second := f, c
		if copyFirst {
			first, second = c, f
		}
		first.Close()
		for range 3 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		second.Contains([]byte("key"))
		second.Close()
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TestLazyLookupsInParallel: goroutines that check the same pieces agree.
func TestLazyLookupsInParallel(t *testing.T) {
	for _, s := range lazySources(t)[:4] {
		data := must(filterfile.Append(nil, s.filter))
		for _, damaged := range []bool{false, true} {
			if damaged {
				data[len(data)-len(s.filter.Bytes())+100] ^= 4
			}
			f := must(filterfile.OpenBytes(data, append(s.options(), filterfile.WithLazyCheck())...))
			var group sync.WaitGroup
			for g := range 8 {
				group.Add(1)
				go func() {
					defer group.Done()
					for i := range 3000 {
						if !f.Contains(s.keys[(i+500*g)%len(s.keys)]) {
							t.Error("a key is lost")
						}
					}
					f.AppendHits(nil, vectors.Hashes(8, 1000))
				}()
			}
			group.Wait()
			if err := f.Check(); (err != nil) != damaged {
				t.Error(err)
			}
		}
	}
}

func TestFilesThatAreNone(t *testing.T) {
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := filterfile.Open(empty); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
	if _, err := filterfile.Open(folder); err == nil {
		t.Error("a folder")
	}
	if _, err := filterfile.Open(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	s := fastLocal(t, 10)
	if err := filterfile.WriteFile(filepath.Join(folder, "none", "filter"), s.filter); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := filterfile.WriteFile(folder, s.filter); err == nil { // cannot be replaced
		t.Error("no error")
	}
	// The folder of a set is told from others, and a path that is empty from that folder.
	set := t.TempDir()
	if err := os.WriteFile(filepath.Join(set, filterset.Manifest), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(set)
	for path, says := range map[string]bool{set: true, ".": true, folder: false, "": false} {
		if _, err := filterfile.Open(path); err == nil || strings.Contains(err.Error(), "filterset.Open opens it") != says {
			t.Errorf("%q: %v", path, err)
		}
	}
	if names := must(os.ReadDir(folder)); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

// TestPermissionsAreKept: those of an old file. A new one has those that the system gives to others.
func TestPermissionsAreKept(t *testing.T) {
	s := fastLocal(t, 10)
	folder := t.TempDir()
	path, other := filepath.Join(folder, "filter"), filepath.Join(folder, "other")
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []fs.FileMode{0, 0o640, 0o600} {
		if mode != 0 {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
		before, _ := os.Stat(path)
		if err := filterfile.WriteFile(path, s.filter); err != nil {
			t.Fatal(err)
		}
		after := must(os.Stat(path))
		if before == nil {
			before = must(os.Stat(other))
		}
		if after.Mode() != before.Mode() {
			t.Errorf("%v, and before %v", after.Mode(), before.Mode())
		}
	}
}

// TestLookupsAllocateNothing, as in the filter's own package.
func TestLookupsAllocateNothing(t *testing.T) {
	s := fastLocal(t, 1000)
	f := must(filterfile.New(s.filter))
	hashes := keyhash.XX64.AppendHashes(nil, s.keys)
	hits, words, indexes := make([]bool, len(hashes)), make([]uint64, len(hashes)/64+1), make([]int, 0, len(hashes))
	if n := testing.AllocsPerRun(20, func() {
		f.Contains(s.keys[1])
		f.ContainsString("absent")
		f.ContainsHashes(hashes, hits)
		f.ContainsHashBits(hashes, words)
		f.ContainsKeys(s.keys, hits)
		f.AppendHits(indexes, hashes)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
