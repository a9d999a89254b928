package contract

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

func (f Format) testReuse(t *testing.T) {
	b := f.Builder(t, 10)
	empty := f.Finish(t, b)
	if len(f.Opened(t, empty).AppendHits(nil, f.Hashes(1, 1000))) != 0 {
		t.Error("a filter without keys contains some")
	}
	for round := range 3 {
		hashes := f.Hashes(uint64(round), 50+round*70_000)
		b.AddHashes(hashes[:20])
		for _, h := range hashes[20:] {
			b.AddHash(h)
		}
		data := f.Finish(t, b)
		if want := f.Build(t, 10, hashes); !bytes.Equal(data, want) {
			t.Fatalf("round %d: other bytes than from a new builder", round)
		}
		b.AddHashes(hashes)
		size := b.SizeBytes()
		b.Reset()
		for name, dst := range map[string][]byte{
			"nil":      nil,
			"short":    []byte("12345"),
			"with use": bytes.Repeat([]byte{0xff}, size+100)[:7],
		} {
			before := string(dst)
			b.AddHashes(hashes)
			got, err := b.AppendFinish(dst)
			if err != nil || string(got[:len(dst)]) != before || !bytes.Equal(got[len(dst):], data) || b.Len() != 0 {
				t.Fatalf("round %d: AppendFinish to %s: %v, or other bytes", round, name, err)
			}
			if name == "with use" && (&got[0] != &dst[0] || !bytes.Equal(got[len(got):cap(got)], bytes.Repeat([]byte{0xff}, cap(got)-len(got)))) {
				t.Fatalf("round %d: AppendFinish did not use its room, or wrote beyond the filter", round)
			}
		}
		b.AddHashes(hashes)
		b.Reset()
		if b.Len() != 0 || !bytes.Equal(f.Finish(t, b), empty) {
			t.Fatal("not empty after Reset")
		}
	}
	// The last key before Finish is no repetition after it.
	b.AddHash(7)
	first := f.Finish(t, b)
	b.AddHash(7)
	if b.Len() != 1 || !bytes.Equal(f.Finish(t, b), first) {
		t.Error("the last key of one filter is missing in the next")
	}
}

// testWaysToAdd adds keys of 8 bytes, some of which are repeated at once, in every way.
func (f Format) testWaysToAdd(t *testing.T) {
	const n = 3000
	distinct := vectors.Keys("le64", 0, n)
	distinct = append(distinct, distinct[:70]...) // far from the first ones, so they are kept
	var keys [][]byte
	var values []uint64
	for i, key := range distinct {
		for range 1 + i%3 {
			keys, values = append(keys, key), append(values, uint64(i%n))
		}
	}
	hashes := f.Hash.AppendHashes(nil, keys)
	kept := slices.Clone(hashes)
	if !f.KeepsEqual {
		kept = slices.Compact(kept)
	}
	want := f.Build(t, 12, kept)
	ways := map[string]func(b *simdbloom.Builder){
		"Add": func(b *simdbloom.Builder) {
			for _, key := range keys {
				b.Add(key)
			}
		},
		"AddString": func(b *simdbloom.Builder) {
			for _, key := range keys {
				b.AddString(string(key))
			}
		},
		"AddUint64": func(b *simdbloom.Builder) {
			for _, value := range values {
				b.AddUint64(value)
			}
		},
		"AddHash": func(b *simdbloom.Builder) {
			for _, hash := range hashes {
				b.AddHash(hash)
			}
		},
	}
	for _, n := range []int{1, 2, 1000, 1023, 1025, len(keys)} {
		ways[fmt.Sprint("AddKeys of ", n)] = func(b *simdbloom.Builder) {
			b.AddKeys(nil)
			for some := range slices.Chunk(keys, n) {
				b.AddKeys(some)
			}
		}
		ways[fmt.Sprint("AddUint64s of ", n)] = func(b *simdbloom.Builder) {
			b.AddUint64s(nil)
			for some := range slices.Chunk(slices.Clone(values), n) {
				b.AddUint64s(some)
				clear(some)
			}
		}
		ways[fmt.Sprint("AddHashes of ", n)] = func(b *simdbloom.Builder) {
			b.AddHashes(nil)
			for some := range slices.Chunk(slices.Clone(hashes), n) {
				b.AddHashes(some)
				clear(some) // the builder must not keep the slice
			}
		}
	}
	builders := make(map[string]*simdbloom.Builder)
	for name, add := range ways {
		builders[name] = f.Builder(t, 12)
		add(builders[name])
	}
	for _, key := range keys {
		clear(key) // the builder must not keep the key's bytes
	}
	clear(keys)
	for name, b := range builders {
		if b.Len() != len(kept) {
			t.Errorf("%s: %d keys kept of %d and repetitions", name, b.Len(), len(kept))
		}
		if !bytes.Equal(f.Finish(t, b), want) {
			t.Errorf("%s: other bytes", name)
		}
	}
}

func (f Format) testBuildersFilter(t *testing.T) {
	for _, n := range []int{0, 1, 100, 5000} {
		hashes := f.Hashes(3, n)
		want := f.Opened(t, f.Build(t, 10, hashes))
		b := f.Builder(t, 10)
		b.AddHashes(hashes)
		got, err := b.Filter()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) || got.Format() != want.Format() || got.Hash() != f.Hash || b.Len() != 0 ||
			got.NumProbes() != want.NumProbes() || len(got.AppendHits(nil, hashes)) != n {
			t.Errorf("%d keys: another filter than from Finish and Open", n)
		}
		if n == 5000 && got.Format() != f.Format {
			t.Errorf("the format is %v", got.Format())
		}
	}
}

func (f Format) testAddingAllocatesNothing(t *testing.T) {
	b, keys, values := f.Builder(t, 10), vectors.Keys("user8", 0, 3000), f.Hashes(1, 3000)
	b.AddKeys(keys) // takes memory that the builder keeps
	b.AddUint64s(values)
	if allocs := testing.AllocsPerRun(20, func() {
		b.Reset()
		b.AddKeys(keys[:5])
		b.AddKeys(keys)
		b.AddUint64s(values)
		key := [16]byte{15: byte(len(keys))} // stays on the stack
		b.Add(key[:])
		b.AddString("key")
		b.AddUint64(7)
		b.SizeBytes()
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// testUsedAgain is about one goroutine and memory for the filter. What pools hold is used again.
func (f Format) testUsedAgain(t *testing.T) {
	if program.Raced {
		t.Skip("pools drop memory")
	}
	const most = 4 // small ones in Finish, and room in lists for a few more keys than before
	for _, n := range []int{0, 50, 1000, 200_000} {
		b, hashes := f.Builder(t, 20), f.Hashes(1, n)
		var memory []byte
		build := func() {
			var err error
			b.AddHashes(hashes)
			if memory, err = b.AppendFinish(memory[:0]); err != nil {
				t.Fatal(err)
			}
		}
		build()
		build()
		if allocs := testing.AllocsPerRun(5, build); allocs > most {
			t.Errorf("%d keys: %v allocations", n, allocs)
		}
	}
}

func (f Format) testConcurrency(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, n := range []int{0, 1, 2, 63, 64, 1000, 70_000} {
		hashes := f.Hashes(9, n)
		want := f.Build(t, 23.4, hashes)
		for _, goroutines := range []int{1, 2, 3, 8, 1000} {
			data := f.Build(t, 23.4, hashes, simdbloom.WithConcurrency(goroutines), simdbloom.WithVerification())
			if !bytes.Equal(data, want) {
				t.Errorf("%d keys: other bytes from %d goroutines", n, goroutines)
			}
		}
	}
	for _, bad := range []int{0, -1, math.MinInt} {
		if _, err := f.builder(10, f.Hash, simdbloom.WithConcurrency(bad)); err == nil || !strings.HasPrefix(err.Error(), f.prefix()) {
			t.Errorf("%d goroutines: %v", bad, err)
		}
	}
}

// testConcurrentUse uses a builder in the middle of Finish, and the zero Builder.
func (f Format) testConcurrentUse(t *testing.T) {
	zero := new(simdbloom.Builder)
	for name, use := range map[string]func(){
		"Add": func() { zero.Add(nil) }, "AddString": func() { zero.AddString("") }, "AddUint64": func() { zero.AddUint64(1) },
		"AddKeys": func() { zero.AddKeys(nil) }, "AddUint64s": func() { zero.AddUint64s(nil) }, "AddColumn": func() { zero.AddColumn(keyhash.Column{}) }, "AddHash": func() { zero.AddHash(1) },
		"AddHashes": func() { zero.AddHashes(nil) }, "Len": func() { zero.Len() }, "SizeBytes": func() { zero.SizeBytes() },
		"Finish": func() { _, _ = zero.Finish() }, "AppendFinish": func() { _, _ = zero.AppendFinish(nil) },
		"Filter": func() { _, _ = zero.Filter() }, "Reset": func() { zero.Reset() },
	} {
		if said := Panic(use); said != "simdbloom: zero Builder: call NewBuilder" {
			t.Errorf("%s of the zero Builder: %s", name, said)
		}
	}
	if program.Raced {
		t.Skip("what follows is a data race")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))) // one CPU alternates
	if runtime.GOMAXPROCS(0) == 1 {
		t.Skip("WebAssembly has one thread, on which goroutines never meet")
	}
	const busy = "simdbloom: concurrent use of a Builder"
	hashes := f.Hashes(4, 200_000)
	for deadline := time.Now().Add(20 * time.Second); ; {
		b := f.Builder(t, 10)
		b.AddHashes(hashes)
		var began, ended atomic.Bool
		finished := make(chan string)
		go func() {
			said := Panic(func() {
				began.Store(true)
				_, _ = b.Finish()
			})
			ended.Store(true)
			finished <- said
		}()
		for !began.Load() {
			runtime.Gosched()
		}
		// At the very beginning both could miss each other, and then memory is at risk.
		for moment := time.Now(); time.Since(moment) < 30*time.Microsecond; {
			runtime.Gosched()
		}
		said := ""
		for said == "" && !ended.Load() {
			said = Panic(func() { b.AddHash(1) })
			runtime.Gosched()
		}
		if said == busy || <-finished == busy {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no panic, or another one: %q", said)
		}
	}
}

func (f Format) testMemory(t *testing.T) {
	const most = 9 // bytes a key
	for _, n := range []int{1_000_000, 2_300_000} {
		for _, how := range []string{"AddHash", "AddHashes"} {
			beside := 6 << 20
			if n > 1_000_000 {
				beside = 22 << 20
			}
			b := f.Builder(t, 10)
			piece := make([]uint64, 1000)
			runtime.GC()
			runtime.GC() // also what pools hold
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for i := 0; i < n; i += len(piece) {
				for j := range piece {
					piece[j] = uint64(i + j)
					if how == "AddHash" {
						b.AddHash(piece[j])
					}
				}
				if how == "AddHashes" {
					b.AddHashes(piece)
				}
			}
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > uint64(most*n+beside) {
				t.Errorf("%d keys by %s: %d bytes, %.2f a key", n, how, got, float64(got)/float64(n))
			}
			if b.Len() != n {
				t.Fatal(b.Len(), " keys kept of ", n)
			}
		}
	}
}

// CheckVector builds a vector's filter with XXPH3, and compares the bytes and the answers with the
// original's.
func (f Format) CheckVector(t *testing.T, v vectors.Built, options ...simdbloom.Option) {
	t.Helper()
	f.Hash = keyhash.XXPH3
	b := f.Builder(t, v.BitsPerKey, options...)
	if v.Keys == "" {
		b.AddHashes(vectors.Hashes(v.Seed, v.N))
	} else {
		for _, key := range vectors.Keys(v.Keys, 0, v.N) {
			b.Add(key)
		}
	}
	name := fmt.Sprintf("%d %s keys at %v bits/key, bottommost %v", v.N, v.Keys, v.BitsPerKey, v.IsBottommost)
	data := f.Finish(t, b)
	if digest := sha256.Sum256(data); !bytes.Equal(digest[:], v.SHA256) || len(data) != v.TotalLen {
		t.Errorf("%s: other bytes than the original's (%d, want %d)", name, len(data), v.TotalLen)
	}
	if v.Bytes != nil && !bytes.Equal(data, v.Bytes) {
		t.Errorf("%s: other bytes than the vector's", name)
	}
	opened := f.Opened(t, data)
	if !bytes.HasSuffix(data, v.Trailer) || opened.NumProbes() != v.NumProbes {
		t.Errorf("%s: %d probes, trailer not % x", name, opened.NumProbes(), v.Trailer)
	}
	if got := len(opened.AppendHits(nil, negatives(v.Keys))); got != v.FalsePositives {
		t.Errorf("%s: %d false positives, want %d", name, got, v.FalsePositives)
	}
}

var negativesOf = make(map[string][]uint64)

// negatives returns the hashes that are queried but never added, which most vectors share:
// those of keys in the given encoding, if there are keys.
func negatives(keys string) []uint64 {
	if negativesOf[keys] == nil {
		hashes := vectors.Hashes(vectors.NegativeSeed, vectors.Negatives)
		if keys != "" {
			all := vectors.Keys(keys, vectors.FirstNegativeKey, vectors.FirstNegativeKey+vectors.Negatives)
			hashes = keyhash.XXPH3.AppendHashes(nil, all)
		}
		negativesOf[keys] = hashes
	}
	return negativesOf[keys]
}
