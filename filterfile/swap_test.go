package filterfile_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestSwap: filters are replaced while goroutines look keys up, and not closed. No lookup fails or loses a key, and
// every file that is not used any more is unmapped.
func TestSwap(t *testing.T) {
	s := fastLocal(t, 20_000)
	path := filepath.Join(t.TempDir(), "filter")
	if err := filterfile.WriteFile(path, s.filter); err != nil {
		t.Fatal(err)
	}
	for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithLazyCheck()}} {
		var current atomic.Pointer[filterfile.File]
		current.Store(must(filterfile.Open(path, options...)))
		var looking sync.WaitGroup
		var stop atomic.Bool
		for range max(runtime.GOMAXPROCS(0)-1, 1) { // one processor is left to swap
			looking.Add(1)
			go func() {
				defer looking.Done()
				hits := make([]bool, 100)
				for i := 0; !stop.Load(); i = (i + 100) % len(s.keys) {
					if current.Load().ContainsKeys(s.keys[i:i+100], hits); !current.Load().Contains(s.keys[i]) || slices.Contains(hits, false) {
						t.Error("a key is lost")
						return
					}
				}
			}()
		}
		for i := range 40 {
			current.Swap(must(filterfile.Open(path, options...)))
			if i%4 == 0 {
				runtime.GC()
			}
		}
		stop.Store(true)
		looking.Wait()
		current.Store(nil)
		testmem.Collect(t, path)
	}
}

// TestBytesStayMapped: the bytes of a mapped filter can be read as long as it is not closed, whether it is reachable or
// not.
func TestBytesStayMapped(t *testing.T) {
	s := fastLocal(t, 20_000)
	path := filepath.Join(t.TempDir(), "filter")
	if err := filterfile.WriteFile(path, s.filter); err != nil {
		t.Fatal(err)
	}
	testmem.Mappings(t, path)
	data := must(filterfile.Open(path)).Bytes()
	for range 3 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	if !bytes.Equal(data, s.filter.Bytes()) || testmem.Mappings(t, path) != 1 {
		t.Errorf("mapped %d times", testmem.Mappings(t, path))
	}
	for range 3 {
		f := must(filterfile.Open(path))
		f.Bytes()
		f.Close()
	}
	for range 200 {
		if runtime.GC(); testmem.Mappings(t, path) == 1 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("closed, and mapped %d times", testmem.Mappings(t, path))
}

// TestMutableIsNotCopied: writing a Mutable needs little memory, and New's result does not change with it.
func TestMutableIsNotCopied(t *testing.T) {
	m := must(bloom.NewMutable(20_000_000, 10, keyhash.XX64))
	m.AddString("a")
	path := filepath.Join(t.TempDir(), "filter")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := filterfile.WriteFile(path, m, filterfile.WithKeys(1))
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; err != nil || allocated > uint64(m.SizeBytes())/20 {
		t.Errorf("%v, %d bytes allocated to write %d", err, allocated, m.SizeBytes())
	}
	f := must(filterfile.Open(path))
	if !f.ContainsString("a") || f.Info().Keys != 1 || f.Info().BitsPerKey != 10 || !bytes.Equal(f.Bytes(), m.Bytes()) {
		t.Error("another filter was written")
	}
	f.Close()
	made := must(filterfile.New(m))
	m.AddString("b")
	if made.ContainsString("b") || !m.ContainsString("b") || made.Check() != nil {
		t.Error("what New made changes")
	}
}

// A server looks keys up in a file that another program replaces. Each new filter is swapped in, and the old one not
// closed: lookups that have got it may not have begun. The garbage collector unmaps its file when the last one has
// ended.
func ExampleOpen_swap() {
	dir := must(os.MkdirTemp("", "swap"))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "blocked.filter")

	var blocked atomic.Pointer[filterfile.File]
	for _, address := range []string{"192.0.2.1", "192.0.2.2"} {
		next := must(bloom.NewMutable(1000, 10, keyhash.XX64))
		next.AddString(address)
		if err := filterfile.WriteFile(path, next); err != nil { // the other program
			fmt.Println(err)
		}
		blocked.Store(must(filterfile.Open(path)))
		fmt.Println(blocked.Load().ContainsString("192.0.2.1"), blocked.Load().ContainsString("192.0.2.2")) // any goroutine
	}
	// Output:
	// true false
	// false true
}
