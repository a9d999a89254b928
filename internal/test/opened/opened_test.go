package opened_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/opened"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/sliced"
)

// functions are the exported functions of the root module that take a Filter, and those of package geometry.
var functions = map[string]func(t *testing.T, f *simdbloom.Filter){
	"simdbloom.AppendFilters": func(_ *testing.T, f *simdbloom.Filter) {
		simdbloom.AppendFilters(nil, []*simdbloom.Filter{f, f}, opened.Hashes[0])
	},
	"simdbloom.Candidates": func(_ *testing.T, f *simdbloom.Filter) {
		for _, n := range []int{1, 3, len(opened.Hashes)} {
			for range simdbloom.Candidates([]*simdbloom.Filter{f, f}, opened.Hashes[:n], []uint64{1<<len(opened.Hashes) - 1}) {
			}
		}
	},
	"filterfile.Append": func(t *testing.T, f *simdbloom.Filter) {
		data, err := filterfile.Append(nil, f)
		if err != nil {
			return // another format's broken filter, which Open took for an unknown one's
		}
		made, err := filterfile.OpenBytes(data, filterfile.WithHash(f.Hash()), filterfile.WithLazyCheck())
		if err != nil {
			t.Errorf("what was written is not read: %v", err)
			return
		}
		opened.CallAll(t, made, f)
	},
	"filterfile.New": func(_ *testing.T, f *simdbloom.Filter) { filterfile.New(f, filterfile.WithKeys(3)) },
	"filterfile.Write": func(_ *testing.T, f *simdbloom.Filter) {
		filterfile.Write(io.Discard, f, filterfile.WithBitsPerKey(10), filterfile.WithPieceBytes(4096))
	},
	"filterfile.WriteFile":            func(*testing.T, *simdbloom.Filter) {}, // as Write: storing thousands of files takes long
	"paired.Verify":                   func(_ *testing.T, f *simdbloom.Filter) { paired.Verify(f) },
	"sliced.(*Filters).Append":        sliceOf,
	"sliced.(*Filters).AppendAll":     sliceOf,
	"geometry.Of":                     func(_ *testing.T, f *simdbloom.Filter) { geometry.Of(f) },
	"geometry.FingerprintBits":        func(_ *testing.T, f *simdbloom.Filter) { geometry.FingerprintBits(f) },
	"geometry.LongerFingerprints":     func(_ *testing.T, f *simdbloom.Filter) { geometry.LongerFingerprints(f) },
	"geometry.Layers":                 func(_ *testing.T, f *simdbloom.Filter) { geometry.Layers(f) },
	"simdbloom.OpenMutable":           func(t *testing.T, f *simdbloom.Filter) { openMutable(t, f) },
	"simdbloom.OpenConcurrent":        func(t *testing.T, f *simdbloom.Filter) { openConcurrent(t, f) },
	"policy.(*Policy).Open":           ofPolicies,
	"filterblock.Open":                ofPolicies,
	"filterblock.OpenPartitioned":     ofPolicies,
	"policy.(*Policy).MayContain":     ofPolicies,
	"policy.(*Policy).HashApplies":    ofPolicies,
	"policy.(*Policy).MayContainHash": ofPolicies,
}

// sliceOf adds the filter, between others, to a collection, and calls that's methods.
func sliceOf(t *testing.T, f *simdbloom.Filter) {
	s := sliced.New(f.Hash())
	if _, err := s.Append(f); err != nil {
		return
	}
	if _, err := s.AppendAll([]*simdbloom.Filter{f, f}); err != nil {
		t.Errorf("the second time: %v", err)
	}
	for id := range 3 {
		if of := s.Filter(id); of == nil || of.ContainsHash(opened.Hashes[0]) != f.ContainsHash(opened.Hashes[0]) {
			t.Errorf("filter %d is another one", id)
		}
	}
	opened.CallAll(t, s, f)
}

func openMutable(t *testing.T, f *simdbloom.Filter) {
	if m, err := simdbloom.OpenMutable(f.Format(), bytes.Clone(f.Bytes()), f.Hash()); err == nil {
		opened.CallAll(t, m, f)
	}
}

func openConcurrent(t *testing.T, f *simdbloom.Filter) {
	if c, err := simdbloom.OpenConcurrent(f.Format(), bytes.Clone(f.Bytes()), f.Hash()); err == nil {
		opened.CallAll(t, c, f)
	}
}

// ofPolicies reads the filter's bytes by every policy of its format, and as a table's filter block.
func ofPolicies(t *testing.T, f *simdbloom.Filter) {
	data := f.Bytes()
	for _, p := range policy.Readers() {
		if p.Format() != f.Format() {
			continue
		}
		p.MayContain(data, opened.Keys[0])
		p.MayContainHash(data, opened.Hashes[0])
		p.HashApplies(data)
		p.Open(data)
		options := filterblock.ReadOptions{WholeKeys: true, Unordered: true}
		if r, err := filterblock.Open(p, data, options); err == nil {
			opened.CallAll(t, r, f)
		}
		read := func(filterblock.Handle) ([]byte, error) { return data, nil }
		if r, err := filterblock.OpenPartitioned(p, data, read, options); err == nil {
			opened.CallAll(t, r, f)
		}
	}
}

// TestNothingPanics calls everything that takes a Filter with every kind of opened bytes.
func TestNothingPanics(t *testing.T) {
	n := 0
	for what, f := range opened.Filters(t) {
		n++
		sameAnswers(t, what, f)
		for name, call := range functions {
			opened.NotPanicking(t, name+" of "+what, func() { call(t, f) })
		}
		opened.NotPanicking(t, "a method of "+what, func() { opened.CallAll(t, f.CopyAligned(), f) })
	}
	if t.Logf("%d filters", n); n < 1000 {
		t.Errorf("only %d filters", n)
	}
}

// sameAnswers compares all ways to look up.
func sameAnswers(t *testing.T, what string, f *simdbloom.Filter) {
	t.Helper()
	hits, bits := make([]bool, len(opened.Hashes)), make([]uint64, 1)
	f.ContainsHashes(opened.Hashes, hits)
	f.ContainsHashBits(opened.Hashes, bits)
	has := f.Lookup()
	for i, hash := range opened.Hashes {
		if hit := f.ContainsHash(hash); hits[i] != hit || bits[0]>>i&1 == 1 != hit || has(hash) != hit {
			t.Errorf("%s: hash %d: %v, %v, %v, %v", what, i, hit, hits[i], bits[0]>>i&1 == 1, has(hash))
		}
	}
}

// TestAllFunctionsAreCalled: those of the recorded API that take a Filter, or bytes from which one is opened and
// something else is returned, are among the functions.
func TestAllFunctionsAreCalled(t *testing.T) {
	api, err := os.ReadFile(filepath.Join("..", "..", "..", "api", "v0.1.0.txt"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`^pkg ([a-z/]+), (?:func|method) (\(\*?[A-Za-z]+\) )?([A-Za-z]+)\((.*)$`)
	var found []string
	for line := range strings.SplitSeq(string(api), "\n") {
		m := row.FindStringSubmatch(line)
		if m == nil || strings.Contains(m[1], "/") || slices.Contains([]string{"bitsandblooms", "dcso", "redisbloom", "table"}, m[1]) {
			continue // modules, whose own tests have opened.Bytes, and filters of other types
		}
		name := m[1] + "."
		if m[2] != "" {
			name += strings.TrimSpace(m[2]) + "."
		}
		if name += m[3]; regexp.MustCompile(`^[^)]*(\*(simdbloom\.)?Filter\b|\bSource\b)`).MatchString(m[4]) {
			found = append(found, name)
		}
	}
	for _, name := range found {
		if functions[name] == nil {
			t.Errorf("%s is not called", name)
		}
	}
	if len(found) < 9 {
		t.Errorf("only %q", found)
	}
}
