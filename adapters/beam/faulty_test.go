package beam

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	beamruntime "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestWrongDescriptions: what a pipeline of another version sends, or files that are not there, are errors of each
// function.
func TestWrongDescriptions(t *testing.T) {
	ctx := t.Context()
	wrong, linear := Filter{Policy: "x", Keys: 1}, Filter{Policy: "simdbloom.Linear:1", Keys: 1}
	set := Set{Dir: t.TempDir(), Policy: "x", Parts: 1, ID: "0123456789abcdef"}
	side := func(manifest string) error { return new(sideFilter).open(ctx, lookups{OfSet: true}, []byte(manifest)) }
	local, whole := filepath.Join(t.TempDir(), "set"), filepath.Join(t.TempDir(), "set")
	numbersIn(t, local, 0, 1000)
	numbersIn(t, whole, 0, 1000)
	for _, part := range mustBe(filepath.Glob(filepath.Join(local, "*", "*")))(t) {
		if err := os.Truncate(part, 10); err != nil {
			t.Fatal(err)
		}
	}
	for what, c := range map[string]struct {
		call func() error
		says string
	}{
		"hashes of no policy":   {func() error { return (&hashFn[string]{Policy: "x"}).Setup() }, "policy"},
		"a filter of no policy": {func() error { _, err := (&unionFn{wrong}).AddInput(union{}, appendBlock(nil, []uint64{7})); return err }, "policy"},
		"of another format": {func() error {
			_, err := (&unionFn{linear}).AddInput(union{}, appendBlock(nil, []uint64{7}))
			return err
		}, "Linear"},
		"without keys": {func() error {
			_, err := (&unionFn{Filter{Policy: "x", AllowEmpty: true}}).ExtractOutput(union{})
			return err
		}, "policy"},
		"a part of no policy": {func() error {
			_, err := (&partFn{set}).ProcessElement(ctx, 0, func(*[]byte) bool { return false })
			return err
		}, "policy"},
		"a manifest of no policy":   {func() error { _, err := set.manifest(nil); return err }, "policy"},
		"a set of another format":   {func() error { return Set{Dir: set.Dir, Policy: "leveldb.BuiltinBloomFilter2:10", Parts: 1}.Check() }, ""},
		"no file system, written":   {func() error { return write(ctx, "elsewhere://x", nil) }, "elsewhere"},
		"no file system, a set":     {func() error { _, err := readManifest(ctx, "elsewhere://x"); return err }, "elsewhere"},
		"no file system, looked up": {func() error { return side("elsewhere://x/" + filterset.Manifest) }, "elsewhere"},
		"no file system, a range":   {func() error { return folder("elsewhere://x").ReadRange(ctx, "file", nil, 0) }, "elsewhere"},
		"parts of no policy": {func() error {
			_, err := manifestOf(Set{Dir: set.Dir, Policy: "x", Parts: 1, AllowEmpty: true}, builtPart{})
			return err
		}, "policy"},
		"no manifest":                {func() error { return side(local) }, "is not the name of a set's manifest"},
		"no set":                     {func() error { return side(t.TempDir() + "/" + filterset.Manifest) }, ""},
		"a set that was cut short":   {func() error { return side(local + "/" + filterset.Manifest) }, ""},
		"no filter":                  {func() error { return new(sideFilter).open(ctx, lookups{}, nil) }, ""},
		"a remote set in no memory":  {func() error { _, _, err := openRemote(ctx, whole, Remote{Memory: 1}); return err }, ""},
		"a remote set by no request": {func() error { _, _, err := openRemote(ctx, whole, Remote{Concurrency: -1}); return err }, ""},
	} {
		if err := c.call(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want something of %q", what, err, c.says)
		}
	}
	empty := Set{Dir: t.TempDir(), Policy: "simdbloom.FastLocal:10", Parts: 1, ID: "0123456789abcdef"}
	part := mustBe((&partFn{empty}).ProcessElement(ctx, 0, func(*[]byte) bool { return false }))(t)
	if _, err := manifestOf(empty, part); !errors.Is(err, errNoKeys) {
		t.Error(err)
	}
}

// TestStoresOfFolders: a file system that cannot store the names in a folder is no error, and a folder that is not
// there is.
func TestStoresOfFolders(t *testing.T) {
	if err := store(filepath.Join(t.TempDir(), "none"), os.O_RDONLY); runtime.GOOS != "windows" && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := store("/proc", os.O_RDONLY); runtime.GOOS == "linux" && err != nil { // where fsync is EINVAL
		t.Error(err)
	}
}

// TestRanges: a range is read to the file's end, whether its file says that it is there or not, and files are closed.
func TestRanges(t *testing.T) {
	closesAll(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"readsat://", "seeks://"} {
		p := make([]byte, 4)
		if err := folder(scheme+dir).ReadRange(t.Context(), "file", p, 6); err != nil || string(p) != "6789" {
			t.Errorf("%s: %q, %v", scheme, p, err)
		}
		if err := folder(scheme+dir).ReadRange(t.Context(), "file", p, 7); err == nil {
			t.Errorf("%s: 4 of the last 3 bytes", scheme)
		}
		if err := folder(scheme+dir).ReadRange(t.Context(), "none", p, 0); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", scheme, err)
		}
	}
}

// TestCopiesOfSets are found in until the last worker ends, and then removed.
func TestCopiesOfSets(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	local := filepath.Join(t.TempDir(), "set")
	numbersIn(t, local, 0, 1000)
	for _, name := range append(mustBe(filepath.Glob(filepath.Join(local, "*", "*")))(t), filepath.Join(local, filterset.Manifest)) {
		memfs.Write("memfs://beam-test/copied"+filepath.ToSlash(strings.TrimPrefix(name, local)), mustBe(os.ReadFile(name))(t))
	}
	const manifest = "memfs://beam-test/copied/" + filterset.Manifest
	fn := &containsFn[uint64]{Lookups: lookups{Batch: 1, OfSet: true}}
	found := 0
	for v := range uint64(10) {
		if err := fn.ProcessElement(t.Context(), 0, v, []byte(manifest), func(beam.EventTime, uint64) { found++ }); err != nil {
			t.Fatal(err)
		}
	}
	if left := mustBe(os.ReadDir(temporary))(t); found != 10 || runtime.GOOS != "windows" && len(left) != 1 {
		t.Errorf("%d of 10 keys, %d copies", found, len(left))
	}
	pairs := &containsPairFn[uint64]{Lookups: fn.Lookups}
	if err := pairs.ProcessElement(t.Context(), 0, 1, "value", []byte(manifest), func(beam.EventTime, uint64, beam.V) { found++ }); err != nil || found != 11 {
		t.Error(found, err)
	}
	fn.Teardown()
	if left := mustBe(os.ReadDir(temporary))(t); runtime.GOOS != "windows" && len(left) != 1 {
		t.Errorf("%d copies for one worker", len(left))
	}
	if pairs.Teardown(); len(mustBe(os.ReadDir(temporary))(t)) != 0 {
		t.Error("the copy stays")
	}
}

// failingSet is a set whose lookups fail.
type failingSet struct{}

func (failingSet) Hash() keyhash.Hash { return keyhash.XX64 }
func (failingSet) appendHits(_ context.Context, dst []int, _ []uint64) ([]int, error) {
	return dst, errFails
}

// TestLookupsThatFail end the bundle, of keys and of pairs.
func TestLookupsThatFail(t *testing.T) {
	keys, pairs := new(containsFn[uint64]), new(containsPairFn[uint64])
	keys.side.set, pairs.side.set = &sharedSet{lookupSet: failingSet{}}, &sharedSet{lookupSet: failingSet{}}
	keys.batch.add(0, 7, 7)
	pairs.batch.add(0, 7, pair[uint64]{key: 7})
	if err := keys.FinishBundle(t.Context(), nil, nil); !errors.Is(err, errFails) {
		t.Error(err)
	}
	if err := pairs.FinishBundle(t.Context(), nil, nil); !errors.Is(err, errFails) {
		t.Error(err)
	}
}

// TestCopiesThatFail: each step of copying a set that fails is an error.
func TestCopiesThatFail(t *testing.T) {
	closesAll(t)
	local := filepath.Join(t.TempDir(), "set")
	numbersIn(t, local, 0, 1000)
	text := mustBe(os.ReadFile(filepath.Join(local, filterset.Manifest)))(t)
	layers := mustBe(filepath.Glob(filepath.Join(local, "*", "")))(t)
	i := slices.IndexFunc(layers, func(name string) bool { return filepath.Base(name) != filterset.Manifest })
	for what, fails := range map[string]func(to string) error{
		"a manifest":    func(to string) error { return os.Mkdir(filepath.Join(to, filterset.Manifest), 0o700) },
		"a folder":      func(to string) error { return os.Mkdir(filepath.Join(to, filepath.Base(layers[i])), 0o700) },
		"reading parts": func(string) error { objects.fail = "read"; return nil },
		"other bytes":   func(string) error { return nil },
	} {
		to, manifest := t.TempDir(), text
		if err := fails(to); err != nil {
			t.Fatal(err)
		}
		if what == "other bytes" {
			manifest = text[:len(text)-1]
		}
		if err := copySet(t.Context(), objects, "objects://set", manifest, to); err == nil {
			t.Errorf("%s: no error", what)
		}
		objects.fail = ""
	}
	if err := copyFile(t.Context(), objects, "objects://set/part", filepath.Join(t.TempDir(), "none", "part")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	objects.fail = "read"
	if err := copyFile(t.Context(), objects, "objects://set/part", filepath.Join(t.TempDir(), "part")); !errors.Is(err, errFails) {
		t.Error(err)
	}
	objects.fail = ""
}

// TestCalls: arguments arrive in their order, and workers know all functions by their names.
func TestCalls(t *testing.T) {
	var got []any
	make2x0(func(a int, b string) { got = []any{a, b} }).Call([]any{1, "b"})
	if !slices.Equal(got, []any{1, "b"}) {
		t.Error(got)
	}
	five := make5x1(func(a int, b string, c byte, d float64, e bool) error { got = []any{a, b, c, d, e}; return errFails })
	if out := five.Call([]any{1, "b", byte(3), 4.5, true}); !slices.Equal(got, []any{1, "b", byte(3), 4.5, true}) || !slices.Equal(out, []any{errFails}) {
		t.Error(got, out)
	}
	six := make6x1(func(a int, b string, c byte, d float64, e bool, f uint64) error {
		got = []any{a, b, c, d, e, f}
		return nil
	})
	if six.Call([]any{1, "b", byte(3), 4.5, true, uint64(6)}); !slices.Equal(got, []any{1, "b", byte(3), 4.5, true, uint64(6)}) {
		t.Error(got)
	}
	for _, of := range []reflect.Type{
		reflect.TypeFor[hashFn[string]](), reflect.TypeFor[hashFn[[]byte]](), reflect.TypeFor[hashFn[int64]](), reflect.TypeFor[hashFn[uint64]](),
		reflect.TypeFor[containsFn[string]](), reflect.TypeFor[containsFn[[]byte]](), reflect.TypeFor[containsFn[int64]](), reflect.TypeFor[containsFn[uint64]](),
		reflect.TypeFor[containsPairFn[string]](), reflect.TypeFor[containsPairFn[[]byte]](), reflect.TypeFor[containsPairFn[int64]](), reflect.TypeFor[containsPairFn[uint64]](),
	} {
		name, named := beamruntime.TypeKey(of)
		if found, is := beamruntime.LookupType(name); !named || !is || found != of {
			t.Errorf("%v is not registered", of)
		}
	}
}
