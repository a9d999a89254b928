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

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

func (f Format) testQueriesAgree(t *testing.T) {
	added := vectors.Keys("user8", 0, 2000)
	b := f.Builder(t, 4) // many false positives
	for _, key := range added {
		b.Add(key)
	}
	opened := f.Opened(t, f.Finish(t, b))
	keys := append(vectors.Keys("user8", 50_000, 57_000), added...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	hashes := f.Hash.AppendHashes(nil, keys)

	want := make([]bool, len(keys))
	for i, key := range keys {
		want[i] = opened.Contains(key)
		if opened.ContainsString(string(key)) != want[i] || opened.ContainsHash(hashes[i]) != want[i] {
			t.Fatalf("key %q: single queries disagree", key)
		}
	}
	if yes := len(opened.AppendHits(nil, hashes)); yes < 2000 || yes == len(keys) {
		t.Fatalf("%d of %d keys found: nothing to compare", yes, len(keys))
	}
	for _, n := range lengths(len(keys)) {
		compare(t, opened, keys[:n], hashes[:n], want[:n])
	}
	for range 200 { // slices that begin anywhere
		from := rand.IntN(len(keys))
		to := from + rand.IntN(min(300, len(keys)-from+1))
		compare(t, opened, keys[from:to], hashes[from:to], want[from:to])
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
func compare(t *testing.T, f *simdbloom.Filter, keys [][]byte, hashes []uint64, want []bool) {
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
func (f Format) testKeyHashes(t *testing.T) {
	values := vectors.Hashes(5, 4609)
	keys, words := make([][]byte, len(values)), make([][]byte, len(values))
	for i, value := range values {
		words[i] = binary.LittleEndian.AppendUint64(nil, value)
		keys[i] = words[i][:i%9]
	}
	keys[3], keys[100] = nil, nil
	for _, hash := range f.KeyHashes {
		b := Must(f.builder(3, hash))
		b.AddKeys(keys[:1000])
		b.AddUint64s(values[:1000])
		opened := Must(f.Open(f.Finish(t, b), hash))
		var wantKeys, wantWords []bool
		has := opened.LookupUint64()
		for i, key := range keys {
			wantKeys, wantWords = append(wantKeys, opened.Contains(key)), append(wantWords, opened.Contains(words[i]))
			if opened.ContainsUint64(values[i]) != wantWords[i] || has(values[i]) != wantWords[i] || opened.ContainsHash(hash.Sum64(key)) != wantKeys[i] || i < 1000 && !(wantKeys[i] && wantWords[i]) {
				t.Fatalf("%s: key %d", hash.Name(), i)
			}
		}
		for _, n := range append(lengths(len(keys)), 2050, 2559, 2560, 2561) {
			for what, query := range map[string]func(hits []bool) []bool{
				"ContainsKeys":    func(hits []bool) []bool { opened.ContainsKeys(keys[:n], hits); return wantKeys },
				"ContainsUint64s": func(hits []bool) []bool { opened.ContainsUint64s(values[:n], hits); return wantWords },
			} {
				hits := make([]bool, n+2)
				hits[n], hits[n+1] = true, false
				if want := query(hits); !slices.Equal(hits[:n], want[:n]) || !hits[n] || hits[n+1] {
					t.Fatalf("%s: %s of %d disagrees with single queries, or answers more", hash.Name(), what, n)
				}
			}
		}
	}
}

func (f Format) testShortAnswersPanic(t *testing.T) {
	built := f.Opened(t, f.Build(t, 10, f.Hashes(1, 100)))
	for _, opened := range []*simdbloom.Filter{built, f.Opened(t, nil), f.Opened(t, f.AlwaysTrue)} {
		for _, n := range []int{1, 2, 7, 8, 64, 65, 128, 129, 2048, 3000} {
			hashes, keys := make([]uint64, n), make([][]byte, n)
			bools := slices.Repeat([]bool{true}, n-1)
			words := slices.Repeat([]uint64{42}, (n+63)/64-1)
			for what, query := range map[string]func(){
				"ContainsHashes":   func() { opened.ContainsHashes(hashes, bools) },
				"ContainsKeys":     func() { opened.ContainsKeys(keys, bools) },
				"ContainsUint64s":  func() { opened.ContainsUint64s(hashes, bools) },
				"ContainsHashBits": func() { opened.ContainsHashBits(hashes, words) },
			} {
				said, want := Panic(query), fmt.Sprintf("simdbloom: len(hits) is %d, but there are %d keys", n-1, n)
				if byHash := strings.Contains(what, "Hash"); byHash && !strings.HasPrefix(said, "simdbloom: len(hits) is ") || !byHash && said != want {
					t.Errorf("%s of %d with a short slice: panic %q", what, n, said)
				}
			}
			if slices.Contains(bools, false) || slices.ContainsFunc(words, func(w uint64) bool { return w != 42 }) {
				t.Errorf("something was written for %d hashes before the panic", n)
			}
		}
	}
}

// testAllocations has the zero Filter, too, whose queries panic.
func (f Format) testAllocations(t *testing.T) {
	hashes := f.Hashes(1, 5000)
	data := f.Build(t, 10, hashes)
	opened, keys := f.Opened(t, data), vectors.Keys("user8", 0, 3000)
	bools, words, indexes, selected := make([]bool, 5000), make([]uint64, 80), make([]int, 0, 5000), make([]int32, 0, 5000)
	queries := func(opened *simdbloom.Filter) map[string]func() {
		return map[string]func(){
			"Contains": func() {
				var key [20]byte // stays on the stack
				key[0] = byte(len(keys))
				opened.Contains(key[:])
			},
			"ContainsString":   func() { opened.ContainsString("some key") },
			"ContainsUint64":   func() { opened.ContainsUint64(77) },
			"ContainsHash":     func() { opened.ContainsHash(77) },
			"Lookup":           func() { opened.Lookup()(77) },
			"LookupUint64":     func() { opened.LookupUint64()(77) },
			"hash inlined":     func() { opened.ContainsHashInline(77) },
			"uint64 inlined":   func() { opened.ContainsUint64Inline(77) },
			"ContainsHashes":   func() { opened.ContainsHashes(hashes, bools) },
			"ContainsHashBits": func() { opened.ContainsHashBits(hashes, words) },
			"ContainsKeys":     func() { opened.ContainsKeys(keys, bools) },
			"few keys":         func() { opened.ContainsKeys(keys[:5], bools) },
			"ContainsUint64s":  func() { opened.ContainsUint64s(hashes, bools) },
			"AppendHits":       func() { opened.AppendHits(indexes, hashes) },
			"ContainsColumn":   func() { opened.ContainsColumn(keyhash.Values(hashes), words) },
			"AppendColumnHits": func() { opened.AppendColumnHits(selected, keyhash.Values(hashes)) },
			"AppendFilters":    func() { simdbloom.AppendFilters(indexes, []*simdbloom.Filter{opened}, 77) },
		}
	}
	notOpened := queries(new(simdbloom.Filter))
	notOpened["EstimatedFPR"] = func() { new(simdbloom.Filter).EstimatedFPR() }
	for what, query := range notOpened {
		if said := Panic(query); !strings.Contains(said, "zero Filter") {
			t.Errorf("%s of the zero Filter: panic %q", what, said)
		}
	}
	all := queries(opened)
	all["MayContainHash"] = func() { f.MayContainHash(data, 77) }
	all["MayContainHash corrupt"] = func() { f.MayContainHash(data[:3], 77) }
	if !f.OwnRates { // those are found by samples, or by residues of bits
		all["EstimatedFPR"] = func() { opened.EstimatedFPR() }
	}
	all["Bytes"] = func() { opened.Bytes() }
	for what, query := range all {
		most := 0.0
		if what == "Bytes" && f.Shared {
			most = 1
		}
		if allocs := testing.AllocsPerRun(5, query); allocs > most {
			t.Errorf("%s: %v allocations", what, allocs)
		}
	}
}

// testRoomForHits queries several stretches of hashes, all with hits.
func (f Format) testRoomForHits(t *testing.T) {
	hashes := f.Hashes(1, 41_000)
	for name, opened := range map[string]*simdbloom.Filter{
		"some": f.Opened(t, f.Build(t, 2, hashes[:100])),
		"none": f.Opened(t, nil),
		"all":  f.Opened(t, f.AlwaysTrue),
	} {
		n := len(opened.AppendHits(nil, hashes))
		most := 0.0
		if n > 0 {
			most = 2 // a second time if there are more in later stretches than in the first
		}
		if allocs := testing.AllocsPerRun(5, func() { opened.AppendHits(nil, hashes) }); allocs > most {
			t.Errorf("%s: %v allocations for %d hits", name, allocs, n)
		}
		room := make([]int, 0, n)
		if allocs := testing.AllocsPerRun(5, func() { opened.AppendHits(room, hashes) }); allocs != 0 {
			t.Errorf("%s: %v allocations where there was room", name, allocs)
		}
	}
}

func (f Format) testParallelReaders(t *testing.T) {
	hashes := f.Hashes(5, 4000)
	opened := f.Opened(t, f.Build(t, 10, hashes))
	keys := vectors.Keys("le64", 0, 300)
	var running sync.WaitGroup
	for i := range 32 {
		running.Add(1)
		go func() {
			defer running.Done()
			bools, words := make([]bool, 4000), make([]uint64, 63)
			for range 3 {
				opened.ContainsHashes(hashes, bools)
				opened.ContainsHashBits(hashes, words)
				if slices.Contains(bools, false) || !opened.ContainsHash(hashes[i]) ||
					len(opened.AppendHits(nil, hashes)) != len(hashes) {
					t.Error("a key is missing")
				}
				opened.ContainsKeys(keys, bools)
				opened.ContainsUint64s(hashes, bools)
				opened.Contains(keys[i])
				opened.CopyAligned().ContainsString("key")
				if !f.Sampled || i == 0 {
					opened.EstimatedFPR()
				}
			}
		}()
	}
	running.Wait()
}

func (f Format) testAlignment(t *testing.T) {
	hashes := f.Hashes(3, 2500)
	data := f.Build(t, 7, hashes)
	queried := append(f.Hashes(vectors.NegativeSeed, 2500), hashes...)
	opened := f.Opened(t, data)
	want := opened.AppendHits(nil, queried)
	room := make([]byte, len(data)+128)
	for offset := range 64 {
		moved := room[offset : offset+len(data)]
		copy(moved, data)
		there := f.Opened(t, moved)
		for what, g := range map[string]*simdbloom.Filter{"as it is": there, "CopyAligned": there.CopyAligned()} {
			if !slices.Equal(g.AppendHits(nil, queried), want) || g.SizeBytes() != len(data) || g.NumProbes() != opened.NumProbes() {
				t.Fatalf("offset %d, %s: other answers", offset, what)
			}
		}
		clear(moved)
	}
	aligned := opened.CopyAligned()
	clear(data)
	if len(opened.AppendHits(nil, hashes)) > len(hashes)/10 { // zeros have false positives in some formats
		t.Error("the filter is a copy of its bytes") // and so not what was promised
	}
	if !slices.Equal(aligned.AppendHits(nil, queried), want) {
		t.Error("CopyAligned's filter shares its bytes with the first")
	}
}

// testFourGiB opens filters of the format's largest size, and of one unit more, if the
// machine has slices of that length.
func (f Format) testFourGiB(t *testing.T) {
	if f.Unlimited {
		t.Skip("filters may be larger")
	}
	unit, header, trailer := uint64(f.UnitBytes), uint64(len(f.header(0))), uint64(len(f.Trailer(0)))
	largest := 1<<32 - unit
	data := testmem.Sparse(t, header+largest+unit+trailer)
	if data == nil {
		t.Log("this machine has no slices of 4 GiB")
		return
	}
	copy(data, f.header(int(largest)))
	copy(data[header+largest:], f.Trailer(0))
	opened := f.Opened(t, data[:header+largest+trailer])
	if opened.NumProbes() == 0 || opened.ContainsHash(1<<64-1) || uint64(opened.SizeBytes()) != header+largest+trailer {
		t.Errorf("%d probes, %d bytes", opened.NumProbes(), opened.SizeBytes())
	}
	clear(data[header+largest:])
	copy(data, f.header(int(largest+unit)))
	copy(data[header+largest+unit:], f.Trailer(0))
	if _, err := f.Open(data, f.Hash); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("one unit more: %v", err)
	}
	if !f.MayContainHash(data, 0) {
		t.Error("one unit more: MayContainHash said no")
	}
}
