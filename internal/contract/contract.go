// Package contract tests what packages bloom and paired promise alike, for both.
// Only their tests import it.
package contract

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/testmem"
	"github.com/simdbloom/simdbloom/internal/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// Package is one of the two, with one choice of options. Policies' interfaces
// have all that both promise.
type Package struct {
	NewBuilder     func(bitsPerKey float64, hash keyhash.Hash) (policy.Builder, error)
	NewConcurrent  func(bitsPerKey float64, hash keyhash.Hash, n int) (policy.Builder, error) // which verifies, too
	Open           func(data []byte, hash keyhash.Hash) (policy.Filter, error)
	CopyAligned    func(policy.Filter) policy.Filter
	MayContainHash func(data []byte, hash uint64) bool

	ErrCorrupt error
	UnitBytes  int    // what the body is a multiple of
	Trailer    []byte // of some filter with probes
}

// Test runs every test of the contract.
func Test(t *testing.T, p Package) {
	t.Run("every setting contains what was added", p.testEverySetting)
	t.Run("all queries agree", p.testQueriesAgree)
	t.Run("short answers panic", p.testShortAnswersPanic)
	t.Run("queries allocate nothing", p.testAllocations)
	t.Run("builders are reused", p.testReuse)
	t.Run("ways to add", p.testWaysToAdd)
	t.Run("concurrency changes no byte", p.testConcurrency)
	t.Run("refused arguments", p.testRefusals)
	t.Run("readers in parallel", p.testParallelReaders)
	t.Run("any alignment", p.testAlignment)
	t.Run("collected keys take little memory", p.testMemory)
	t.Run("filters of 4 GiB", p.testFourGiB)
}

func (p Package) builder(t *testing.T, bitsPerKey float64) policy.Builder {
	t.Helper()
	b, err := p.NewBuilder(bitsPerKey, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (p Package) build(t *testing.T, bitsPerKey float64, hashes []uint64) []byte {
	t.Helper()
	b := p.builder(t, bitsPerKey)
	b.AddHashes(hashes)
	return finish(t, b)
}

func finish(t *testing.T, b policy.Builder) []byte {
	t.Helper()
	size := b.SizeBytes()
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) != size {
		t.Fatalf("SizeBytes was %d, Finish gave %d bytes", size, len(data))
	}
	if len(data) > 0 && uintptr(unsafe.Pointer(&data[0]))%64 != 0 {
		t.Fatal("Finish's memory does not begin at a multiple of 64")
	}
	if b.Len() != 0 {
		t.Fatalf("%d keys left after Finish", b.Len())
	}
	return data
}

func (p Package) open(t *testing.T, data []byte) policy.Filter {
	t.Helper()
	f, err := p.Open(data, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (p Package) testEverySetting(t *testing.T) {
	absent := vectors.Hashes(vectors.NegativeSeed, 20_000)
	settings := []float64{0.5, 0.75, 0.9996, 1, 1.009, 1.0135, 1.014}
	for bpk := 1.5; bpk <= 45; bpk += 1.7 {
		settings = append(settings, bpk)
	}
	settings = append(settings, 50, 50.001, 77.7, 99.999, 100, 1000, math.MaxFloat64)
	for _, bpk := range settings {
		for _, n := range []int{1, 2, 63, 500, 3000} {
			hashes := vectors.Hashes(uint64(n), n)
			f := p.open(t, p.build(t, bpk, hashes))
			if hits := f.AppendHits(nil, hashes); len(hits) != n {
				t.Errorf("%v bits/key, %d keys: %d found", bpk, n, len(hits))
			}
			if n == 3000 {
				measured := float64(len(f.AppendHits(nil, absent))) / float64(len(absent))
				estimated := f.EstimatedFPR()
				if d := math.Abs(measured - estimated); d > 0.05*estimated+4*math.Sqrt(estimated/float64(len(absent)))+1e-4 {
					t.Errorf("%v bits/key: estimated rate %.3g, measured %.3g", bpk, estimated, measured)
				}
			}
		}
	}
}

func (p Package) testQueriesAgree(t *testing.T) {
	added := vectors.Keys("user8", 0, 2000)
	b := p.builder(t, 4) // many false positives
	for _, key := range added {
		b.Add(key)
	}
	f := p.open(t, finish(t, b))
	keys := append(vectors.Keys("user8", 50_000, 57_000), added...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	hashes := keyhash.XX64.AppendHashes(nil, keys)

	want := make([]bool, len(keys))
	for i, key := range keys {
		want[i] = f.Contains(key)
		if f.ContainsString(string(key)) != want[i] || f.ContainsHash(hashes[i]) != want[i] {
			t.Fatalf("key %q: single queries disagree", key)
		}
	}
	if yes := len(f.AppendHits(nil, hashes)); yes < 2000 || yes == len(keys) {
		t.Fatalf("%d of %d keys found: nothing to compare", yes, len(keys))
	}
	for _, n := range lengths(len(keys)) {
		compare(t, f, keys[:n], hashes[:n], want[:n])
	}
	for range 200 { // slices that begin anywhere
		from := rand.IntN(len(keys))
		to := from + rand.IntN(min(300, len(keys)-from+1))
		compare(t, f, keys[from:to], hashes[from:to], want[from:to])
	}
}

// lengths returns those of all tails, and of stretches around inner boundaries.
func lengths(most int) []int {
	var all []int
	for n := range 201 {
		all = append(all, n)
	}
	return append(all, 511, 512, 513, 1000, 2047, 2048, 2049, 4096, 4500, most)
}

// compare checks each batch query against the answers of single ones, and that
// none writes beyond its answers.
func compare(t *testing.T, f policy.Filter, keys [][]byte, hashes []uint64, want []bool) {
	t.Helper()
	n := len(keys)
	for _, fill := range []bool{false, true} {
		bools := slices.Repeat([]bool{fill}, n+3)
		check := func(what string) {
			t.Helper()
			if !slices.Equal(bools[:n], want) {
				t.Fatalf("%s of %d disagrees with single queries", what, n)
			}
			if !slices.Equal(bools[n:], []bool{fill, fill, fill}) {
				t.Fatalf("%s of %d wrote beyond its answers", what, n)
			}
			for i := range bools {
				bools[i] = fill
			}
		}
		f.ContainsHashes(hashes, bools)
		check("ContainsHashes")
		f.ContainsKeys(keys, bools)
		check("ContainsKeys")
	}

	words := slices.Repeat([]uint64{0xa5a5a5a5a5a5a5a5}, n/64+3)
	f.ContainsHashBits(hashes, words)
	used := (n + 63) / 64
	for i := range 64 * used {
		if bit := words[i/64]>>(i%64)&1 != 0; bit != (i < n && want[i]) {
			t.Fatalf("ContainsHashBits of %d: bit %d is %v", n, i, bit)
		}
	}
	for _, word := range words[used:] {
		if word != 0xa5a5a5a5a5a5a5a5 {
			t.Fatalf("ContainsHashBits of %d wrote beyond its words", n)
		}
	}

	var indexes []int
	for i, hit := range want {
		if hit {
			indexes = append(indexes, i)
		}
	}
	if got := f.AppendHits([]int{-5}, hashes); got[0] != -5 || !slices.Equal(got[1:], indexes) {
		t.Fatalf("AppendHits of %d disagrees with single queries", n)
	}
}

func (p Package) testShortAnswersPanic(t *testing.T) {
	built := p.open(t, p.build(t, 10, vectors.Hashes(1, 100)))
	empty := p.open(t, nil)
	for _, f := range []policy.Filter{built, empty} {
		for _, n := range []int{1, 2, 64, 65, 128, 129, 3000} {
			hashes, keys := make([]uint64, n), make([][]byte, n)
			bools := slices.Repeat([]bool{true}, n-1)
			words := slices.Repeat([]uint64{42}, (n+63)/64-1)
			for what, query := range map[string]func(){
				"ContainsHashes":   func() { f.ContainsHashes(hashes, bools) },
				"ContainsKeys":     func() { f.ContainsKeys(keys, bools) },
				"ContainsHashBits": func() { f.ContainsHashBits(hashes, words) },
			} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%s of %d with a short slice did not panic", what, n)
						}
					}()
					query()
				}()
			}
			if slices.Contains(bools, false) || slices.ContainsFunc(words, func(w uint64) bool { return w != 42 }) {
				t.Errorf("something was written for %d hashes before the panic", n)
			}
		}
	}
}

func (p Package) testAllocations(t *testing.T) {
	hashes := vectors.Hashes(1, 5000)
	data := p.build(t, 10, hashes)
	f, keys := p.open(t, data), vectors.Keys("user8", 0, 3000)
	bools, words, indexes := make([]bool, 5000), make([]uint64, 80), make([]int, 0, 5000)
	for what, query := range map[string]func(){
		"Contains": func() {
			var key [20]byte // stays on the stack
			key[0] = byte(len(keys))
			f.Contains(key[:])
		},
		"ContainsString":         func() { f.ContainsString("some key") },
		"ContainsHash":           func() { f.ContainsHash(77) },
		"ContainsHashes":         func() { f.ContainsHashes(hashes, bools) },
		"ContainsHashBits":       func() { f.ContainsHashBits(hashes, words) },
		"ContainsKeys":           func() { f.ContainsKeys(keys, bools) },
		"AppendHits":             func() { f.AppendHits(indexes, hashes) },
		"MayContainHash":         func() { p.MayContainHash(data, 77) },
		"MayContainHash corrupt": func() { p.MayContainHash(data[:3], 77) },
		"EstimatedFPR":           func() { f.EstimatedFPR() },
	} {
		// A key's escape through policy.Filter, an interface here, is this test's own.
		most := 0.0
		if what == "Contains" {
			most = 1
		}
		if allocs := testing.AllocsPerRun(20, query); allocs > most {
			t.Errorf("%s: %v allocations", what, allocs)
		}
	}
}

func (p Package) testReuse(t *testing.T) {
	b := p.builder(t, 10)
	empty := finish(t, b)
	if f := p.open(t, empty); len(f.AppendHits(nil, vectors.Hashes(1, 1000))) != 0 {
		t.Error("a filter without keys contains some")
	}
	for round := range 5 {
		hashes := vectors.Hashes(uint64(round), 50+round*70_000)
		b.AddHashes(hashes[:20])
		for _, h := range hashes[20:] {
			b.AddHash(h)
		}
		data := finish(t, b)
		if want := p.build(t, 10, hashes); !bytes.Equal(data, want) {
			t.Fatalf("round %d: other bytes than from a new builder", round)
		}
		for name, dst := range map[string][]byte{
			"nil":      nil,
			"short":    []byte("12345"),
			"with use": bytes.Repeat([]byte{0xff}, len(data)+100)[:7],
		} {
			before := string(dst)
			b.AddHashes(hashes)
			got, err := b.AppendFinish(dst)
			if err != nil || string(got[:len(dst)]) != before || !bytes.Equal(got[len(dst):], data) || b.Len() != 0 {
				t.Fatalf("round %d: AppendFinish to %s: %v, or other bytes", round, name, err)
			}
		}
		b.AddHashes(hashes)
		b.Reset()
		if b.Len() != 0 || !bytes.Equal(finish(t, b), empty) {
			t.Fatal("not empty after Reset")
		}
	}
	// What was added last before Finish is no repetition after it.
	b.AddHash(7)
	first := finish(t, b)
	b.AddHash(7)
	if b.Len() != 1 || !bytes.Equal(finish(t, b), first) {
		t.Error("the last key of one filter is missing in the next")
	}
}

func (p Package) testWaysToAdd(t *testing.T) {
	keys := vectors.Keys("le64", 0, 3000)
	byKey, byHash, byBatch := p.builder(t, 12), p.builder(t, 12), p.builder(t, 12)
	for i, key := range keys {
		for range 1 + i%3 {
			byKey.Add(key)
			byHash.AddHash(keyhash.XX64.Sum64(key))
		}
		clear(key) // nothing of a key is kept
	}
	hashes := keyhash.XX64.AppendHashes(nil, vectors.Keys("le64", 0, 3000))
	byBatch.AddHashes(slices.Concat(hashes[:1000], hashes[999:2000], hashes[1999:], hashes[2999:]))
	clear(hashes)
	for _, b := range []policy.Builder{byKey, byHash, byBatch} {
		if b.Len() != len(keys) {
			t.Errorf("%d keys kept of %d and repetitions", b.Len(), len(keys))
		}
	}
	want := finish(t, byKey)
	if !bytes.Equal(finish(t, byHash), want) || !bytes.Equal(finish(t, byBatch), want) {
		t.Error("the bytes depend on how keys were added")
	}
}

func (p Package) testConcurrency(t *testing.T) {
	for _, n := range []int{0, 1, 2, 63, 64, 1000, 70_000} {
		hashes := vectors.Hashes(9, n)
		want := p.build(t, 23.4, hashes)
		for _, goroutines := range []int{1, 2, 3, 8, 1000} {
			b, err := p.NewConcurrent(23.4, keyhash.XX64, goroutines)
			if err != nil {
				t.Fatal(err)
			}
			b.AddHashes(hashes)
			if !bytes.Equal(finish(t, b), want) {
				t.Errorf("%d keys: other bytes from %d goroutines", n, goroutines)
			}
		}
	}
	for _, bad := range []int{0, -1, math.MinInt} {
		if _, err := p.NewConcurrent(10, keyhash.XX64, bad); err == nil {
			t.Errorf("%d goroutines were accepted", bad)
		}
	}
}

func (p Package) testRefusals(t *testing.T) {
	for _, bpk := range []float64{0, 0.4999, -1, -1e300, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := p.NewBuilder(bpk, keyhash.XX64); err == nil {
			t.Errorf("NewBuilder took %v bits per key", bpk)
		}
	}
	if _, err := p.NewBuilder(10, keyhash.Hash{}); err == nil {
		t.Error("NewBuilder took the zero Hash")
	}
	if _, err := p.Open(nil, keyhash.Hash{}); err == nil || errors.Is(err, p.ErrCorrupt) {
		t.Errorf("Open with the zero Hash: %v", err)
	}
	for n := 1; n <= len(p.Trailer); n++ {
		for _, fill := range []byte{0, 1, 6, 0x7f, 0xfe, 0xff} {
			data := bytes.Repeat([]byte{fill}, n)
			if _, err := p.Open(data, keyhash.XX64); !errors.Is(err, p.ErrCorrupt) {
				t.Errorf("%d bytes of %#x: %v", n, fill, err)
			}
			if !p.MayContainHash(data, 1) {
				t.Errorf("%d bytes of %#x: MayContainHash said no", n, fill)
			}
		}
	}
	for _, empty := range [][]byte{nil, {}} {
		f := p.open(t, empty)
		if f.Contains([]byte("key")) || p.MayContainHash(empty, 1) || f.EstimatedFPR() != 0 || f.SizeBytes() != 0 {
			t.Error("an empty filter contains something")
		}
	}
}

func (p Package) testParallelReaders(t *testing.T) {
	hashes := vectors.Hashes(5, 4000)
	f := p.open(t, p.build(t, 10, hashes))
	keys := vectors.Keys("le64", 0, 300)
	var running sync.WaitGroup
	for i := range 32 {
		running.Go(func() {
			bools, words := make([]bool, 4000), make([]uint64, 63)
			for range 3 {
				f.ContainsHashes(hashes, bools)
				f.ContainsHashBits(hashes, words)
				if slices.Contains(bools, false) || !f.ContainsHash(hashes[i]) ||
					len(f.AppendHits(nil, hashes)) != len(hashes) {
					t.Error("a key is missing")
				}
				f.ContainsKeys(keys, bools)
				f.Contains(keys[i])
				p.CopyAligned(f).ContainsString("key")
				f.EstimatedFPR()
			}
		})
	}
	running.Wait()
}

func (p Package) testAlignment(t *testing.T) {
	hashes := vectors.Hashes(3, 2500)
	data := p.build(t, 7, hashes)
	asked := append(vectors.Hashes(vectors.NegativeSeed, 2500), hashes...)
	want := p.open(t, data).AppendHits(nil, asked)
	room := make([]byte, len(data)+128)
	for offset := range 64 {
		moved := room[offset : offset+len(data)]
		copy(moved, data)
		f := p.open(t, moved)
		for what, f := range map[string]policy.Filter{"as it is": f, "CopyAligned": p.CopyAligned(f)} {
			if !slices.Equal(f.AppendHits(nil, asked), want) || f.SizeBytes() != len(data) ||
				f.NumProbes() != p.open(t, data).NumProbes() {
				t.Fatalf("offset %d, %s: other answers", offset, what)
			}
		}
		clear(moved)
	}
	f := p.open(t, data)
	aligned := p.CopyAligned(f)
	clear(data)
	if len(f.AppendHits(nil, hashes)) != 0 {
		t.Error("the filter is a copy of its bytes") // and so not what was promised
	}
	if !slices.Equal(aligned.AppendHits(nil, asked), want) {
		t.Error("CopyAligned's filter shares its bytes with the first")
	}
}

func (p Package) testMemory(t *testing.T) {
	const most = 9 // bytes a key
	for _, n := range []int{1_000_000, 2_300_000} {
		for _, how := range []string{"AddHash", "AddHashes"} {
			b := p.builder(t, 10)
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
			if got := float64(after.TotalAlloc-before.TotalAlloc) / float64(n); got > most {
				t.Errorf("%d keys by %s: %.2f bytes a key", n, how, got)
			}
			if b.Len() != n {
				t.Fatal(fmt.Sprint(b.Len(), " keys kept of ", n))
			}
		}
	}
}

// testFourGiB opens filters of the format's largest size, and of one unit more,
// where the machine has slices as long.
func (p Package) testFourGiB(t *testing.T) {
	unit, trailer := uint64(p.UnitBytes), uint64(len(p.Trailer))
	largest := 1<<32 - unit
	data := testmem.Sparse(t, largest+unit+trailer)
	if data == nil {
		t.Log("this machine has no slices of 4 GiB")
		return
	}
	copy(data[largest:], p.Trailer)
	f := p.open(t, data[:largest+trailer])
	if f.NumProbes() == 0 || f.ContainsHash(1<<64-1) || uint64(f.SizeBytes()) != largest+trailer {
		t.Errorf("%d probes, %d bytes", f.NumProbes(), f.SizeBytes())
	}
	clear(data[largest:])
	copy(data[largest+unit:], p.Trailer)
	if _, err := p.Open(data, keyhash.XX64); !errors.Is(err, p.ErrCorrupt) {
		t.Errorf("one unit more: %v", err)
	}
	if !p.MayContainHash(data, 0) {
		t.Error("one unit more: MayContainHash said no")
	}
}

// CheckVector builds a vector's filter with a builder that hashes with XXPH3, and
// compares the bytes and the answers with the original's.
func (p Package) CheckVector(t *testing.T, v vectors.Built, b policy.Builder) {
	t.Helper()
	if v.Keys == "" {
		b.AddHashes(vectors.Hashes(v.Seed, v.N))
	} else {
		for _, key := range vectors.Keys(v.Keys, 0, v.N) {
			b.Add(key)
		}
	}
	name := fmt.Sprintf("%d %s keys at %v bits/key, bottommost %v", v.N, v.Keys, v.BitsPerKey, v.IsBottommost)
	data := finish(t, b)
	if digest := sha256.Sum256(data); !bytes.Equal(digest[:], v.SHA256) || len(data) != v.TotalLen {
		t.Errorf("%s: other bytes than the original's (%d, want %d)", name, len(data), v.TotalLen)
	}
	if v.Bytes != nil && !bytes.Equal(data, v.Bytes) {
		t.Errorf("%s: other bytes than the vector's", name)
	}
	f := p.open(t, data)
	if !bytes.HasSuffix(data, v.Trailer) || f.NumProbes() != v.NumProbes {
		t.Errorf("%s: %d probes, trailer not % x", name, f.NumProbes(), v.Trailer)
	}
	negatives := vectors.Hashes(vectors.NegativeSeed, vectors.Negatives)
	if v.Keys != "" {
		keys := vectors.Keys(v.Keys, vectors.FirstNegativeKey, vectors.FirstNegativeKey+vectors.Negatives)
		negatives = keyhash.XXPH3.AppendHashes(nil, keys)
	}
	if got := len(f.AppendHits(nil, negatives)); got != v.FalsePositives {
		t.Errorf("%s: %d false positives, want %d", name, got, v.FalsePositives)
	}
}
