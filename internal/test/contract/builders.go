package contract

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

func (p Package) testReuse(t *testing.T) {
	b := p.builder(t, 10)
	empty := p.finish(t, b)
	if f := p.open(t, empty); len(f.AppendHits(nil, vectors.Hashes(1, 1000))) != 0 {
		t.Error("a filter without keys contains some")
	}
	for round := range 3 {
		hashes := vectors.Hashes(uint64(round), 50+round*70_000)
		b.AddHashes(hashes[:20])
		for _, h := range hashes[20:] {
			b.AddHash(h)
		}
		data := p.finish(t, b)
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
		if b.Len() != 0 || !bytes.Equal(p.finish(t, b), empty) {
			t.Fatal("not empty after Reset")
		}
	}
	// The last key before Finish is no repetition after it.
	b.AddHash(7)
	first := p.finish(t, b)
	b.AddHash(7)
	if b.Len() != 1 || !bytes.Equal(p.finish(t, b), first) {
		t.Error("the last key of one filter is missing in the next")
	}
}

func (p Package) testWaysToAdd(t *testing.T) {
	keys := vectors.Keys("le64", 0, 3000)
	byKey, byString, byHash, byBatch := p.builder(t, 12), p.builder(t, 12), p.builder(t, 12), p.builder(t, 12)
	byKeys := map[int]policy.Builder{1: p.builder(t, 12), 2: p.builder(t, 12), 1023: p.builder(t, 12), 1025: p.builder(t, 12), len(keys): p.builder(t, 12)}
	repeated := keys[:0:0]
	for i, key := range keys {
		for range 1 + i%3 {
			byKey.Add(key)
			byString.AddString(string(key))
			byHash.AddHash(keyhash.XX64.Sum64(key))
			repeated = append(repeated, key)
		}
	}
	for n, b := range byKeys {
		b.AddKeys(nil)
		for some := range slices.Chunk(repeated, n) {
			b.AddKeys(some)
		}
	}
	clear(repeated)
	for _, key := range keys {
		clear(key) // the builder must not keep the key's bytes
	}
	hashes := keyhash.XX64.AppendHashes(nil, vectors.Keys("le64", 0, 3000))
	byBatch.AddHashes(slices.Concat(hashes[:1000], hashes[999:2000], hashes[1999:], hashes[2999:]))
	clear(hashes)
	want := p.build(t, 12, keyhash.XX64.AppendHashes(nil, vectors.Keys("le64", 0, 3000)))
	for _, b := range slices.AppendSeq([]policy.Builder{byKey, byString, byHash, byBatch}, maps.Values(byKeys)) {
		if b.Len() != len(keys) {
			t.Errorf("%d keys kept of %d and repetitions", b.Len(), len(keys))
		}
		if !bytes.Equal(p.finish(t, b), want) {
			t.Error("the bytes depend on how keys were added")
		}
	}
}

func (p Package) testAddKeysAllocatesNothing(t *testing.T) {
	b, keys := p.builder(t, 10), vectors.Keys("user8", 0, 3000)
	b.AddKeys(keys) // takes memory that the builder keeps
	if allocs := testing.AllocsPerRun(20, func() {
		b.Reset()
		b.AddKeys(keys[:5])
		b.AddKeys(keys)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func (p Package) testConcurrency(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, n := range []int{0, 1, 2, 63, 64, 1000, 70_000} {
		hashes := vectors.Hashes(9, n)
		want := p.build(t, 23.4, hashes)
		for _, goroutines := range []int{1, 2, 3, 8, 1000} {
			b, err := p.NewConcurrent(23.4, keyhash.XX64, goroutines)
			if err != nil {
				t.Fatal(err)
			}
			b.AddHashes(hashes)
			if !bytes.Equal(p.finish(t, b), want) {
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

func (p Package) testMemory(t *testing.T) {
	const most = 9 // bytes a key
	for _, n := range []int{1_000_000, 2_300_000} {
		for _, how := range []string{"AddHash", "AddHashes"} {
			beside := 6 << 20
			if n > 1_000_000 {
				beside = 22 << 20
			}
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
			if got := after.TotalAlloc - before.TotalAlloc; got > uint64(most*n+beside) {
				t.Errorf("%d keys by %s: %d bytes, %.2f a key", n, how, got, float64(got)/float64(n))
			}
			if b.Len() != n {
				t.Fatal(fmt.Sprint(b.Len(), " keys kept of ", n))
			}
		}
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
	data := p.finish(t, b)
	if digest := sha256.Sum256(data); !bytes.Equal(digest[:], v.SHA256) || len(data) != v.TotalLen {
		t.Errorf("%s: other bytes than the original's (%d, want %d)", name, len(data), v.TotalLen)
	}
	if v.Bytes != nil && !bytes.Equal(data, v.Bytes) {
		t.Errorf("%s: other bytes than the vector's", name)
	}
	f := p.open(t, data)
	if !bytes.HasSuffix(data, v.Trailer) || probes(f) != v.NumProbes {
		t.Errorf("%s: %d probes, trailer not % x", name, probes(f), v.Trailer)
	}
	if got := len(f.AppendHits(nil, negatives(v.Keys))); got != v.FalsePositives {
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
