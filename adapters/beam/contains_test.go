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
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
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
