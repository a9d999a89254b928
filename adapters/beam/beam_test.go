package beam

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

var number = flag.Int("keys", 100_000, "`keys` of the sets that tests build")

func TestMain(m *testing.M) { ptest.Main(m) }

func init() {
	register.DoFn2x0[int, func(uint64)](&rangeFn{})
	register.Emitter1[uint64]()
	register.DoFn1x1[uint64, uint64](&failingFn{})
	register.Function1x1(lineOf)
	register.Function1x1(bytesOf)
	register.Function1x1(signedOf)
	register.Function1x2(pairOf)
	register.Function2x1(textOf)
}

// rangeFn emits the numbers of one of many ranges.
type rangeFn struct{ Each int }

func (fn *rangeFn) ProcessElement(i int, emit func(uint64)) {
	for v := range fn.Each {
		emit(uint64(i*fn.Each + v))
	}
}

const numRanges = 10

// numbers returns a collection of n numbers.
func numbers(s beam.Scope, n int) beam.PCollection {
	var starts [numRanges]int
	for i := range starts {
		starts[i] = i
	}
	return beam.ParDo(s, &rangeFn{Each: n / numRanges}, beam.CreateList(s, starts[:]))
}

var fails atomic.Int64 // once it was counted down to 0, failingFn panics, once

// failingFn passes keys on.
type failingFn struct{}

func (*failingFn) ProcessElement(v uint64) uint64 {
	if fails.Add(-1) == 0 {
		panic("this worker fails, for a test")
	}
	return v
}

// alone builds the set on one machine.
func alone(t *testing.T, set Set, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "alone")
	p, err := policy.Parse(set.Policy)
	if err != nil {
		t.Fatal(err)
	}
	b, err := filterset.NewBuilder(dir, p, int64(n), 256<<20, filterset.WithParts(set.Parts))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for v := range n {
		b.AddUint64(uint64(v))
	}
	if err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// compareSets fails if a file of one set differs from the other's.
func compareSets(t *testing.T, dir, want string) {
	t.Helper()
	a, b := openSet(t, dir), openSet(t, want)
	if err := a.Verify(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	for part := range a.Info().NumParts() {
		read := func(dir string, s *filterset.Set) []byte {
			data, err := os.ReadFile(filepath.Join(dir, s.Info().Layers[0].Folder(), filterset.PartFile(part)))
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		if !bytes.Equal(read(dir, a), read(want, b)) {
			t.Errorf("part %d differs from the one that a single machine builds", part)
		}
	}
	info, wanted := a.Info(), b.Info()
	info.Layers[0].ID = wanted.Layers[0].ID
	text, _ := info.MarshalText()
	wantedText, _ := wanted.MarshalText()
	if !bytes.Equal(text, wantedText) {
		t.Errorf("the manifest is %s, want %s", text, wantedText)
	}
}

func openSet(t *testing.T, dir string) *filterset.Set {
	t.Helper()
	s, err := filterset.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestBuildSet compares sets with a single machine's. A worker fails in the middle of the second one: the old set
// stays, and when the pipeline runs again, the same bytes come of it.
func TestBuildSet(t *testing.T) {
	for _, name := range []string{"simdbloom.Linear:16", "simdbloom.Ribbon:10"} {
		t.Run(name, func(t *testing.T) {
			set := Set{Dir: filepath.Join(t.TempDir(), "set"), Policy: name, Parts: 16}
			want := alone(t, set, *number)
			build := func(n int) error {
				p, s := beam.NewPipelineWithRoot()
				slash := set
				slash.Dir += "/" // which changes nothing
				manifest := BuildSet(s, slash, beam.ParDo(s, &failingFn{}, numbers(s, n)))
				passert.Equals(s, manifest, set.Dir+"/"+filterset.Manifest)
				return ptest.Run(p)
			}
			if err := build(*number); err != nil {
				t.Fatal(err)
			}
			compareSets(t, set.Dir, want)

			fails.Store(int64(*number / 2))
			if err := build(*number); err == nil {
				t.Fatal("the worker did not fail")
			}
			compareSets(t, set.Dir, want)
			if err := build(*number); err != nil {
				t.Fatal(err)
			}
			compareSets(t, set.Dir, want)

			if err := build(0); err == nil || !strings.Contains(err.Error(), "there are no keys") {
				t.Fatal(err)
			}
			compareSets(t, set.Dir, want)
			set.AllowEmpty = true
			if err := build(0); err != nil {
				t.Fatal(err)
			}
			if s := openSet(t, set.Dir); s.Info().Keys() != 0 || s.Info().NumParts() != set.Parts {
				t.Errorf("%d parts with %d keys", s.Info().NumParts(), s.Info().Keys())
			}
			files, err := filepath.Glob(filepath.Join(set.Dir, "*", "*"))
			if err != nil || len(files) > 2*set.Parts || strings.Contains(fmt.Sprint(files), temporary) {
				t.Errorf("%d files stay: %q, %v", len(files), files, err)
			}
		})
	}
}

// TestBuildFilter compares the filter with one that a single goroutine filled, for few keys, which are sent as hashes,
// and for many.
func TestBuildFilter(t *testing.T) {
	for _, name := range []string{"simdbloom.FastLocal:10", "simdbloom.SplitBlock:12"} {
		for _, n := range []int{0, 10, 50_000} {
			f := Filter{Policy: name, Keys: 40_000, AllowEmpty: n == 0}
			m, err := f.mutable()
			if err != nil {
				t.Fatal(err)
			}
			for v := range n {
				m.AddUint64(uint64(v))
			}
			want, err := m.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			p, s := beam.NewPipelineWithRoot()
			passert.Equals(s, BuildFilter(s, f, numbers(s, n)), want)
			if err := ptest.Run(p); err != nil {
				t.Errorf("%s, %d keys: %v", name, n, err)
			}
		}
	}
}

// TestFilterWithoutKeys is an error, whatever number was expected.
func TestFilterWithoutKeys(t *testing.T) {
	for _, keys := range []int{0, 10} {
		p, s := beam.NewPipelineWithRoot()
		BuildFilter(s, Filter{Policy: "simdbloom.FastLocal:10", Keys: keys}, numbers(s, 0))
		if err := ptest.Run(p); err == nil || !strings.Contains(err.Error(), "there are no keys") {
			t.Errorf("%d expected: %v", keys, err)
		}
	}
}

// TestUnion merges accumulators of all kinds, as they come from other machines.
func TestUnion(t *testing.T) {
	fn := &unionFn{Filter: Filter{Policy: "simdbloom.FastLocal:10", Keys: 1000}}
	of := func(from, to uint64) union {
		u, err := union{}, error(nil)
		for h := from; h < to && err == nil; h++ {
			u, err = fn.AddInput(u, appendBlock(nil, []uint64{h * 0x9E3779B97F4A7C15}))
		}
		data, err2 := encodeUnion(u)
		v, err3 := decodeUnion(data)
		if err != nil || err2 != nil || err3 != nil {
			t.Fatal(err, err2, err3)
		}
		return v
	}
	want, err := fn.ExtractOutput(of(0, 3000))
	if err != nil {
		t.Fatal(err)
	}
	for _, cuts := range [][2]uint64{{1, 2}, {1, 2999}, {2990, 2995}, {1500, 1501}, {1000, 2000}} {
		u, err := fn.MergeAccumulators(of(0, cuts[0]), of(cuts[0], cuts[1]))
		if err == nil {
			u, err = fn.MergeAccumulators(of(cuts[1], 3000), u)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, err := fn.ExtractOutput(u); err != nil || !bytes.Equal(got, want) {
			t.Errorf("cut at %d: other bytes, %v", cuts, err)
		}
	}
	for _, data := range [][]byte{nil, {2}, {1, 2, 3}} {
		if _, err := decodeUnion(data); err == nil {
			t.Errorf("%v is an accumulator", data)
		}
	}
}

func lineOf(v uint64) string        { return fmt.Sprint("line", v) }
func bytesOf(s string) []byte       { return []byte(s) }
func signedOf(v uint64) int64       { return int64(v) }
func pairOf(s string) (string, int) { return s, len(s) }

func textOf(key string, value int) string { return fmt.Sprint(key, value) }

// TestChecks: each mistake of a flag is an error of one line, which BuildSet panics with.
func TestChecks(t *testing.T) {
	set := Set{Dir: t.TempDir(), Policy: "simdbloom.Linear:16", Parts: 2}
	if err := set.Check(); err != nil {
		t.Error(err)
	}
	if err := (Filter{Policy: "simdbloom.FastLocal:10", Keys: 1}).Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Set){
		"x": func(s *Set) { s.Policy = "x" }, "power of two": func(s *Set) { s.Parts = 0 }, "must not be empty": func(s *Set) { s.Dir = "" },
		`import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"`: func(s *Set) { s.Dir = "s3://bucket/set" },
		`the file system "abc" is not registered: import a package`:              func(s *Set) { s.Dir = "abc://set" },
		"ID": func(s *Set) { s.ID = "x" },
	} {
		changed := set
		change(&changed)
		if err := changed.Check(); err == nil || !strings.Contains(err.Error(), want) && want != "ID" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", want, err)
		}
	}
	for parts, right := range map[int]bool{-1: false, 1: true, 3: false, 4: true, 6: false, 1 << 14: true, 1 << 15: false} {
		set.Parts = parts
		if err := set.Check(); (err == nil) != right {
			t.Errorf("%d parts: %v", parts, err)
		}
	}
	for name, want := range map[string]string{"keys*.txt": "", "/a": "", "": "empty", "s3://x": "filesystem/s3", "memfs://x": ""} {
		if err := CheckFileSystem(name); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (Filter{Policy: "simdbloom.Linear:10", Keys: 1}).Check(); err == nil {
		t.Error("Linear is united")
	}
}

// TestMistakes are found while the pipeline is built.
func TestMistakes(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	keys := numbers(s, 10)
	set := Set{Dir: t.TempDir(), Policy: "simdbloom.Linear:16", Parts: 2}
	with := func(change func(*Set)) Set {
		changed := set
		change(&changed)
		return changed
	}
	for name, build := range map[string]func(){
		"unknown policy":    func() { BuildSet(s, with(func(s *Set) { s.Policy = "Linear" }), keys) },
		"power of two":      func() { BuildSet(s, with(func(s *Set) { s.Parts = 3 }), keys) },
		"not registered":    func() { BuildSet(s, with(func(s *Set) { s.Dir = "elsewhere://set" }), keys) },
		"must not be empty": func() { BuildSet(s, with(func(s *Set) { s.Dir = "" }), keys) },
		"16 hexadecimal":    func() { BuildSet(s, with(func(s *Set) { s.ID = "../../etc" }), keys) },
		"FastLocal":         func() { BuildFilter(s, Filter{Policy: "simdbloom.Linear:16", Keys: 10}, keys) },
		"keys must be":      func() { BuildSet(s, set, beam.Create(s, 1.5)) },
		"global window":     func() { BuildSet(s, set, beam.WindowInto(s, window.NewFixedWindows(time.Second), keys)) },
		"not simdbloom.Xy":  func() { BuildFilter(s, Filter{Policy: "simdbloom.Xy:16", Keys: 10}, keys) },
	} {
		func() {
			defer func() {
				if said := recover(); said == nil || name == "global window" && !strings.Contains(fmt.Sprint(said), name) {
					t.Errorf("%s: %v", name, said)
				}
			}()
			build()
		}()
	}
}
