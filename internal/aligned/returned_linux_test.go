package aligned_test

import (
	"bytes"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// makers return something that keeps at least size bytes of large memory alive,
// all of it written to.
var makers = []struct {
	name string
	make func(t *testing.T) any
}{
	{"Make", func(*testing.T) any {
		b := aligned.Make(size)
		touch(b)
		return b
	}},
	{"bloom, Finish", func(t *testing.T) any { return build(t, bloomBuilder(t)) }},
	{"bloom, CopyAligned", func(t *testing.T) any {
		f, err := bloom.Open(append(make([]byte, size), 0xff, 0, 6, 0, 0), keyhash.XX64)
		if err != nil {
			t.Fatal(err)
		}
		return f.CopyAligned()
	}},
	{"paired, Finish", func(t *testing.T) any { return build(t, pairedBuilder(t)) }},
	{"paired, CopyAligned", func(t *testing.T) any {
		f, err := paired.Open(append(make([]byte, size), 1, 16, 7, 0), keyhash.XX64)
		if err != nil {
			t.Fatal(err)
		}
		return f.CopyAligned()
	}},
}

const (
	size       = 10 << 20
	bitsPerKey = 100 // the fewest keys that a filter of that size has
)

type builder interface {
	AddHashes([]uint64)
	Finish() ([]byte, error)
}

func bloomBuilder(t *testing.T) builder {
	b, err := bloom.NewBuilder(bitsPerKey, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func pairedBuilder(t *testing.T) builder {
	b, err := paired.NewBuilder(bitsPerKey, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func build(t *testing.T, b builder) []byte {
	b.AddHashes(vectors.Hashes(1, size*8/bitsPerKey+1))
	data, err := b.Finish()
	if err != nil || len(data) < size {
		t.Fatal(len(data), err)
	}
	return data
}

// touch writes to every page.
func touch(b []byte) {
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
}

func TestLargeMemoryIsReturned(t *testing.T) {
	for _, maker := range makers {
		t.Run(maker.name, func(t *testing.T) {
			made := maker.make(t)
			debug.FreeOSMemory() // what it took to make it
			with := resident(t)
			runtime.KeepAlive(made)
			made = nil
			debug.FreeOSMemory()
			// Other memory of the process may come in huge pages, too.
			if back := with - resident(t); back < size/2 {
				t.Errorf("%d KiB of %d came back", back>>10, size>>10)
			}
		})
	}
}

func TestManyResultsOneAfterAnother(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	debug.FreeOSMemory()
	before := resident(t)
	const made = 100
	for range made {
		touch(aligned.Make(size))
	}
	if more := resident(t) - before; more > made*size/4 {
		t.Errorf("%d MiB are resident, of %d made", more>>20, made*size>>20)
	}
}

// TestResultsAreOneMapping tests that Make does not use up the mappings that a process may
// have.
func TestResultsAreOneMapping(t *testing.T) {
	before := mappings(t)
	var live [16][]byte
	for i := range live {
		live[i] = aligned.Make(size + 5)
	}
	if more := mappings(t) - before; more >= len(live) {
		t.Errorf("%d more mappings for %d results", more, len(live))
	}
	runtime.KeepAlive(live)
}

// resident returns how many bytes the process has in memory, without those that it lets
// the kernel reclaim.
func resident(t *testing.T) int {
	t.Helper()
	return memory(t, "Rss") - memory(t, "LazyFree")
}

// memory returns how many bytes of the process the kernel counts under that name.
func memory(t *testing.T, name string) int {
	t.Helper()
	said, err := os.ReadFile("/proc/self/smaps_rollup")
	if err != nil {
		t.Skip("the kernel does not say what memory a process has: ", err)
	}
	found := regexp.MustCompile(`(?m)^` + name + `: +(\d+) kB$`).FindSubmatch(said)
	if found == nil {
		t.Skip("the kernel does not count ", name)
	}
	kib, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}

// mappings returns how many of the process's mappings the kernel keeps apart.
func mappings(t *testing.T) int {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip("the kernel does not say what mappings a process has: ", err)
	}
	return bytes.Count(maps, []byte("\n"))
}
