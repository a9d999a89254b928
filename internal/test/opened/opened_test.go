package opened_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/opened"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/sliced"
)

const lookups = 40

var (
	hashes = vectors.Hashes(3, lookups)
	keys   = func() (keys [][]byte) {
		for i := range lookups {
			keys = append(keys, fmt.Appendf(nil, "key%d", i))
		}
		return keys
	}()
)

// functions are the exported functions of the root module that take a Filter, and those of package geometry.
var functions = map[string]func(t *testing.T, f *simdbloom.Filter){
	"simdbloom.AppendFilters": func(_ *testing.T, f *simdbloom.Filter) {
		simdbloom.AppendFilters(nil, []*simdbloom.Filter{f, f}, hashes[0])
	},
	"simdbloom.Candidates": func(_ *testing.T, f *simdbloom.Filter) {
		for _, n := range []int{1, 3, lookups} {
			for range simdbloom.Candidates([]*simdbloom.Filter{f, f}, hashes[:n], []uint64{1<<lookups - 1}) {
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
		all(t, made, f)
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
		if of := s.Filter(id); of == nil || of.ContainsHash(hashes[0]) != f.ContainsHash(hashes[0]) {
			t.Errorf("filter %d is another one", id)
		}
	}
	all(t, s, f)
}

func openMutable(t *testing.T, f *simdbloom.Filter) {
	if m, err := simdbloom.OpenMutable(f.Format(), bytes.Clone(f.Bytes()), f.Hash()); err == nil {
		all(t, m, f)
	}
}

func openConcurrent(t *testing.T, f *simdbloom.Filter) {
	if c, err := simdbloom.OpenConcurrent(f.Format(), bytes.Clone(f.Bytes()), f.Hash()); err == nil {
		all(t, c, f)
	}
}

// ofPolicies reads the filter's bytes by every policy of its format, and as a table's filter block.
func ofPolicies(t *testing.T, f *simdbloom.Filter) {
	data := f.Bytes()
	for _, p := range policy.Readers() {
		if p.Format() != f.Format() {
			continue
		}
		p.MayContain(data, keys[0])
		p.MayContainHash(data, hashes[0])
		p.HashApplies(data)
		p.Open(data)
		options := filterblock.ReadOptions{WholeKeys: true, Unordered: true}
		if r, err := filterblock.Open(p, data, options); err == nil {
			all(t, r, f)
		}
		read := func(filterblock.Handle) ([]byte, error) { return data, nil }
		if r, err := filterblock.OpenPartitioned(p, data, read, options); err == nil {
			all(t, r, f)
		}
	}
}

// all calls all exported methods of a value, with any arguments of their types: Close last.
func all(t *testing.T, of any, f *simdbloom.Filter) {
	value := reflect.ValueOf(of)
	call := func(name string) {
		m := value.MethodByName(name)
		args := make([]reflect.Value, 0, m.Type().NumIn())
		for i := range m.Type().NumIn() {
			if m.Type().IsVariadic() && i == m.Type().NumIn()-1 {
				break
			}
			args = append(args, argument(t, m.Type().In(i), of, f))
		}
		for _, result := range m.Call(args) {
			iterate(result)
		}
	}
	for i := range value.NumMethod() {
		switch name := value.Type().Method(i).Name; {
		case name == "Close" || name == "WriteFile": // as WriteTo
		case name == "EstimatedFPR" && isSampled(f):
		default:
			call(name)
		}
	}
	if value.MethodByName("Close").IsValid() {
		call("Close")
	}
}

var sampled = make(map[string]bool)

// isSampled reports whether EstimatedFPR looks up millions of hashes, and did so in a filter of the same size.
func isSampled(f *simdbloom.Filter) (again bool) {
	if f.Format() == simdbloom.Legacy {
		kind := fmt.Sprint(f.SizeBytes(), f.NumProbes())
		again, sampled[kind] = sampled[kind], true
	}
	return again
}

// iterate runs through an iterator, and calls a function of a hash.
func iterate(result reflect.Value) {
	switch f := result.Interface().(type) {
	case func(hash uint64) bool:
		f(hashes[0])
	case nil:
	default:
		if result.Type().CanSeq2() {
			for range result.Seq2() {
			}
		}
	}
}

// argument returns a value of a parameter's type. Every number is 0 or small, and lists are as long as each other.
func argument(t *testing.T, of reflect.Type, receiver any, f *simdbloom.Filter) reflect.Value {
	switch value := reflect.New(of).Interface().(type) {
	case *[]byte:
		return reflect.ValueOf(keys[1])
	case *string:
		return reflect.ValueOf("key")
	case *uint64, *int, *float64:
		return reflect.ValueOf(value).Elem()
	case *[]uint64:
		return reflect.ValueOf(slices.Clone(hashes))
	case *[]bool:
		return reflect.ValueOf(make([]bool, lookups))
	case *[][]byte:
		return reflect.ValueOf(keys)
	case *[]int, *[]int32:
		return reflect.ValueOf(value).Elem()
	case **simdbloom.Filter:
		return reflect.ValueOf(f)
	case *[]*simdbloom.Filter:
		return reflect.ValueOf([]*simdbloom.Filter{f})
	case *keyhash.Column:
		return reflect.ValueOf(keyhash.Values(hashes))
	case *io.Writer:
		return reflect.ValueOf(io.Discard)
	case *io.Reader:
		return reflect.ValueOf(strings.NewReader("no filter"))
	case *context.Context:
		return reflect.ValueOf(context.Background())
	default:
		if of == reflect.TypeOf(receiver) { // Union
			return reflect.ValueOf(receiver)
		}
		t.Fatalf("%T has a method with a parameter of type %v: give it a value here", receiver, of)
		return reflect.Value{}
	}
}

// TestNothingPanics calls everything that takes a Filter with every kind of opened bytes.
func TestNothingPanics(t *testing.T) {
	n := 0
	for what, f := range opened.Filters(t) {
		n++
		sameAnswers(t, what, f)
		for name, call := range functions {
			notPanicking(t, name+" of "+what, func() { call(t, f) })
		}
		notPanicking(t, "a method of "+what, func() { all(t, f.CopyAligned(), f) })
	}
	if t.Logf("%d filters", n); n < 1000 {
		t.Errorf("only %d filters", n)
	}
}

func notPanicking(t *testing.T, what string, call func()) {
	t.Helper()
	defer func() {
		if failed := recover(); failed != nil {
			t.Errorf("%s: %v", what, failed)
		}
	}()
	call()
}

// sameAnswers compares all ways to look up.
func sameAnswers(t *testing.T, what string, f *simdbloom.Filter) {
	t.Helper()
	hits, bits := make([]bool, lookups), make([]uint64, 1)
	f.ContainsHashes(hashes, hits)
	f.ContainsHashBits(hashes, bits)
	has := f.Lookup()
	for i, hash := range hashes {
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
			continue // modules of their own, and filters of their own
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
