package contract

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

func (p Package) testQueriesAgree(t *testing.T) {
	added := vectors.Keys("user8", 0, 2000)
	b := p.builder(t, 4) // many false positives
	for _, key := range added {
		b.Add(key)
	}
	f := p.open(t, p.finish(t, b))
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
func compare(t *testing.T, f Filter, keys [][]byte, hashes []uint64, want []bool) {
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

// testKeyHashes queries numbers of keys around those at which the code changes its way, with
// every kind of key hash.
func (p Package) testKeyHashes(t *testing.T) {
	outside := keyhash.New("last bytes first", func(key []byte) uint64 {
		sum := uint64(len(key))
		for _, b := range key {
			sum = (sum<<8 ^ uint64(b)) * 0x9e3779b97f4a7c15
		}
		return sum
	})
	keys := make([][]byte, 4609)
	for i, hash := range vectors.Hashes(5, len(keys)) {
		keys[i] = binary.LittleEndian.AppendUint64(nil, hash)[:i%9]
	}
	keys[3], keys[100] = nil, nil
	for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, outside} {
		b, err := p.NewBuilder(3, hash)
		if err != nil {
			t.Fatal(err)
		}
		b.AddKeys(keys[:1000])
		f, err := p.Open(p.finish(t, b), hash)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range append(lengths(len(keys)), 2050, 2559, 2560, 2561) {
			hits := make([]bool, n+2)
			hits[n], hits[n+1] = true, false
			f.ContainsKeys(keys[:n], hits)
			for i, key := range keys[:n] {
				if hits[i] != f.Contains(key) || i < 1000 && !hits[i] {
					t.Fatalf("%s: key %d of %d", hash.Name(), i, n)
				}
			}
			if !hits[n] || hits[n+1] {
				t.Fatalf("%s: of %d keys, more are answered", hash.Name(), n)
			}
		}
	}
}

func (p Package) testShortAnswersPanic(t *testing.T) {
	built := p.open(t, p.build(t, 10, vectors.Hashes(1, 100)))
	empty := p.open(t, nil)
	for _, f := range []Filter{built, empty} {
		for _, n := range []int{1, 2, 7, 8, 64, 65, 128, 129, 2048, 3000} {
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
						said, _ := recover().(string)
						if !strings.HasPrefix(said, "simdbloom: len(hits) is ") {
							t.Errorf("%s of %d with a short slice: panic %q", what, n, said)
						}
						if want := fmt.Sprintf("simdbloom: len(hits) is %d, but there are %d keys", n-1, n); what == "ContainsKeys" && said != want {
							t.Errorf("%s of %d: panic %q, want %q", what, n, said, want)
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
		"Bytes":                  func() { f.Bytes() },
	} {
		// A key's escape through policy.Filter, an interface here, is this test's own.
		most := 0.0
		if what == "Contains" || what == "Bytes" && p.BytesCopy {
			most = 1
		}
		if allocs := testing.AllocsPerRun(20, query); allocs > most {
			t.Errorf("%s: %v allocations", what, allocs)
		}
	}
}

// testRoomForHits queries several stretches of hashes, all with hits.
func (p Package) testRoomForHits(t *testing.T) {
	hashes := vectors.Hashes(1, 41_000)
	for name, f := range map[string]Filter{
		"some": p.open(t, p.build(t, 2, hashes[:100])),
		"none": p.open(t, nil),
		"all":  p.open(t, p.AlwaysTrue),
	} {
		n := len(f.AppendHits(nil, hashes))
		most := 0.0
		if n > 0 {
			most = 2 // a second time if there are more in later stretches than in the first
		}
		if allocs := testing.AllocsPerRun(5, func() { f.AppendHits(nil, hashes) }); allocs > most {
			t.Errorf("%s: %v allocations for %d hits", name, allocs, n)
		}
		room := make([]int, 0, n)
		if allocs := testing.AllocsPerRun(5, func() { f.AppendHits(room, hashes) }); allocs != 0 {
			t.Errorf("%s: %v allocations where there was room", name, allocs)
		}
	}
}

func (p Package) testParallelReaders(t *testing.T) {
	hashes := vectors.Hashes(5, 4000)
	f := p.open(t, p.build(t, 10, hashes))
	keys := vectors.Keys("le64", 0, 300)
	var running sync.WaitGroup
	for i := range 32 {
		running.Add(1)
		go func() {
			defer running.Done()
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
		}()
	}
	running.Wait()
}

func (p Package) testAlignment(t *testing.T) {
	hashes := vectors.Hashes(3, 2500)
	data := p.build(t, 7, hashes)
	queried := append(vectors.Hashes(vectors.NegativeSeed, 2500), hashes...)
	want := p.open(t, data).AppendHits(nil, queried)
	room := make([]byte, len(data)+128)
	for offset := range 64 {
		moved := room[offset : offset+len(data)]
		copy(moved, data)
		f := p.open(t, moved)
		for what, f := range map[string]Filter{"as it is": f, "CopyAligned": p.CopyAligned(f)} {
			if !slices.Equal(f.AppendHits(nil, queried), want) || f.SizeBytes() != len(data) ||
				probes(f) != probes(p.open(t, data)) {
				t.Fatalf("offset %d, %s: other answers", offset, what)
			}
		}
		clear(moved)
	}
	f := p.open(t, data)
	aligned := p.CopyAligned(f)
	clear(data)
	if len(f.AppendHits(nil, hashes)) > len(hashes)/10 { // zeros have false positives in some formats
		t.Error("the filter is a copy of its bytes") // and so not what was promised
	}
	if !slices.Equal(aligned.AppendHits(nil, queried), want) {
		t.Error("CopyAligned's filter shares its bytes with the first")
	}
}

// testFourGiB opens filters of the format's largest size, and of one unit more, if the
// machine has slices of that length.
func (p Package) testFourGiB(t *testing.T) {
	if p.Unlimited {
		t.Skip("filters may be larger")
	}
	unit, trailer := uint64(p.UnitBytes), uint64(len(p.Trailer(0)))
	largest := 1<<32 - unit
	data := testmem.Sparse(t, largest+unit+trailer)
	if data == nil {
		t.Log("this machine has no slices of 4 GiB")
		return
	}
	copy(data[largest:], p.Trailer(0))
	f := p.open(t, data[:largest+trailer])
	if probes(f) == 0 || f.ContainsHash(1<<64-1) || uint64(f.SizeBytes()) != largest+trailer {
		t.Errorf("%d probes, %d bytes", probes(f), f.SizeBytes())
	}
	clear(data[largest:])
	copy(data[largest+unit:], p.Trailer(0))
	if _, err := p.Open(data, keyhash.XX64); !errors.Is(err, p.ErrCorrupt) {
		t.Errorf("one unit more: %v", err)
	}
	if !p.MayContainHash(data, 0) {
		t.Error("one unit more: MayContainHash said no")
	}
}
