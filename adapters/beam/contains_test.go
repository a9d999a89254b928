package beam

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestMayContain looks up keys of each type, and pairs, in the filter of every third number or line.
func TestMayContain(t *testing.T) {
	const n = 5000
	m, err := bloom.NewMutable(2*n, 30, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	var present, lines, inBytes, signed, pairs []any
	for v := uint64(0); v < n; v += 3 {
		m.AddUint64(v)
		m.AddString(lineOf(v))
		present, lines = append(present, v), append(lines, lineOf(v))
		inBytes, signed = append(inBytes, bytesOf(lineOf(v))), append(signed, int64(v))
		pairs = append(pairs, fmt.Sprint(pairOf(lineOf(v))))
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	filter := beam.Create(s, data)
	keys := numbers(s, n)
	text := beam.ParDo(s, lineOf, keys)
	passert.Equals(s, MayContain(s, filter, keys), present...)
	passert.Empty(s, MayContain(s, filter, numbers(s, 0))) // bundles without elements
	passert.Equals(s, MayContain(s, filter, text), lines...)
	passert.Equals(s, MayContain(s, filter, beam.ParDo(s, bytesOf, text)), inBytes...)
	passert.Equals(s, MayContain(s, filter, beam.ParDo(s, signedOf, keys)), signed...)
	joined := MayContain(s, filter, beam.ParDo(s, pairOf, text))
	passert.Equals(s, beam.ParDo(s, textOf, joined), pairs...)
	windowed := MayContain(s, filter, beam.WindowInto(s, window.NewFixedWindows(time.Second), text))
	passert.Equals(s, beam.WindowInto(s, window.NewGlobalWindows(), windowed), lines...)
	ptest.RunAndValidate(t, p)

	p, s = beam.NewPipelineWithRoot()
	MayContain(s, beam.Create(s, data[:len(data)-1]), numbers(s, 10))
	if err := ptest.Run(p); err == nil {
		t.Error("a filter that was cut off is no error")
	}
}

// TestMayContainSet looks up keys in sets in a local folder and in another file system, in the pipeline that builds
// them and in the next one.
func TestMayContainSet(t *testing.T) {
	const n = 5000
	temporary := filepath.Join(t.TempDir(), "temporary")
	if err := os.Mkdir(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temporary)
	local := filepath.Join(t.TempDir(), "set")
	for _, dir := range []string{local, "memfs://beam-test/set"} {
		var lines, pairs []any
		for v := uint64(0); v < n; v += 3 {
			lines = append(lines, lineOf(v))
			pairs = append(pairs, fmt.Sprint(pairOf(lineOf(v))))
		}
		set := Set{Dir: dir, Policy: "simdbloom.Linear:30", Parts: 4}
		p, s := beam.NewPipelineWithRoot()
		manifest := BuildSet(s, set, beam.Create(s, lines...))
		text := beam.ParDo(s, lineOf, numbers(s, n))
		passert.Equals(s, MayContainSet(s, manifest, text), lines...)
		ptest.RunAndValidate(t, p)

		p, s = beam.NewPipelineWithRoot()
		manifest = beam.Create(s, dir+"/"+filterset.Manifest)
		text = beam.ParDo(s, lineOf, numbers(s, n))
		passert.Equals(s, beam.ParDo(s, textOf, MayContainSet(s, manifest, beam.ParDo(s, pairOf, text))), pairs...)
		passert.Empty(s, MayContainSet(s, manifest, numbers(s, n)))
		windowed := MayContainSet(s, manifest, beam.WindowInto(s, window.NewFixedWindows(time.Second), text))
		passert.Equals(s, beam.WindowInto(s, window.NewGlobalWindows(), windowed), lines...)
		ptest.RunAndValidate(t, p)
	}
	for _, manifest := range []string{local + "/none/" + filterset.Manifest, "memfs://beam-test/none/" + filterset.Manifest, local} {
		p, s := beam.NewPipelineWithRoot()
		MayContainSet(s, beam.Create(s, manifest), numbers(s, n))
		if err := ptest.Run(p); err == nil {
			t.Errorf("%s: no error", manifest)
		}
	}
	if copies, err := filepath.Glob(filepath.Join(temporary, "simdbloom-set-*")); err != nil || len(copies) > 1 {
		t.Errorf("one copy was needed: %q, %v", copies, err)
	}

	// The set is replaced by another one, of which nobody may see the old keys' filters.
	for i := range 2 {
		keys := []any{fmt.Sprint("first", i), fmt.Sprint("second", i)}
		p, s := beam.NewPipelineWithRoot()
		BuildSet(s, Set{Dir: local, Policy: "simdbloom.Linear:30", Parts: 4}, beam.Create(s, keys...))
		ptest.RunAndValidate(t, p)
		p, s = beam.NewPipelineWithRoot()
		passert.Equals(s, MayContainSet(s, beam.Create(s, local+"/"+filterset.Manifest), beam.Create(s, append(keys, "first", "other")...)), keys...)
		ptest.RunAndValidate(t, p)
	}
}

// TestUnreadableParts end a pipeline, since keys may be taken for the set's.
func TestUnreadableParts(t *testing.T) {
	set := Set{Dir: filepath.Join(t.TempDir(), "set"), Policy: "simdbloom.Linear:16", Parts: 2}
	p, s := beam.NewPipelineWithRoot()
	BuildSet(s, set, numbers(s, 1000))
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(set.Dir, openSet(t, set.Dir).Info().Layers[0].Folder(), filterset.PartFile(1))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	p, s = beam.NewPipelineWithRoot()
	MayContainSet(s, beam.Create(s, set.Dir+"/"+filterset.Manifest), numbers(s, 1000))
	if err := ptest.Run(p); err == nil {
		t.Error("a part that was changed is no error")
	}
}

// TestWorkersShareASet until the last of them ends; a worker that gets another manifest opens that set.
func TestWorkersShareASet(t *testing.T) {
	var manifests [2][]byte
	for i := range manifests {
		dir := filepath.Join(t.TempDir(), "set")
		numbersIn(t, dir, uint64(1000*i), uint64(1000*i+1000))
		manifests[i] = []byte(dir + "/" + filterset.Manifest)
	}
	worker := func() *containsFn[uint64] { return &containsFn[uint64]{Lookups: lookups{Batch: 1, OfSet: true}} }
	check := func(fn *containsFn[uint64], manifest []byte, present, absent uint64) {
		t.Helper()
		var found []uint64
		for _, v := range []uint64{present, absent} {
			if err := fn.ProcessElement(t.Context(), 0, v, manifest, func(_ beam.EventTime, v uint64) { found = append(found, v) }); err != nil {
				t.Fatal(err)
			}
		}
		if len(found) != 1 || found[0] != present {
			t.Errorf("%d, and not %d: found %d", present, absent, found)
		}
	}
	a, b := worker(), worker()
	check(a, manifests[0], 1, 1001)
	check(b, manifests[0], 1, 1001)
	if a.side.set != b.side.set {
		t.Error("workers have sets of their own")
	}
	a.Teardown()
	check(b, manifests[0], 2, 1002)
	check(b, manifests[1], 1001, 1)
	check(b, manifests[0], 1, 1001)
	if err := b.ProcessElement(t.Context(), 0, 1, []byte("none"), nil); err == nil {
		t.Error("no set is looked up")
	}
	check(b, manifests[0], 1, 1001)
	b.Teardown()
	for key := range shared.sets {
		if key.manifest == string(manifests[0]) || key.manifest == string(manifests[1]) {
			t.Error("a set stays")
		}
	}
}

// TestCopiesOfBrokenSets are removed.
func TestCopiesOfBrokenSets(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	local := filepath.Join(t.TempDir(), "set")
	numbersIn(t, local, 0, 1000)
	text, err := os.ReadFile(filepath.Join(local, filterset.Manifest))
	if err != nil {
		t.Fatal(err)
	}
	const manifest = "memfs://beam-test/broken/" + filterset.Manifest // without parts
	memfs.Write(manifest, text)
	fn := &containsFn[uint64]{Lookups: lookups{Batch: 1, OfSet: true}}
	if err := fn.ProcessElement(t.Context(), 0, 1, []byte(manifest), func(beam.EventTime, uint64) {}); err == nil {
		t.Error("a set without parts is no error")
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) != 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}
