package beam

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ranges"
)

func init() {
	register.Function1x2(withLine)
	register.Function2x1(pairText)
	filesystem.Register("readsat", func(context.Context) filesystem.Interface { return opened(&folders{}) })
	filesystem.Register("seeks", func(context.Context) filesystem.Interface { return opened(&folders{seeks: true}) })
	RegisterRanges("store", func(_ context.Context, dir string) (filterfile.Ranges, error) {
		return inStore{ranges.FS(os.DirFS(pathOf(dir)))}, nil
	})
	RegisterRanges("silent", func(context.Context, string) (filterfile.Ranges, error) { return silent{}, nil })
}

func withLine(v uint64) (uint64, string)       { return v, lineOf(v) }
func pairText(key uint64, value string) string { return fmt.Sprint(value, " ", key) }

// sent counts the bytes of files that the stores of these tests have sent.
var sent atomic.Int64

func pathOf(name string) string { _, path, _ := strings.Cut(name, "://"); return path }

// folders is a file system whose files can be read at an offset, or can seek.
type folders struct {
	memory
	seeks bool
}

func (f *folders) OpenRead(_ context.Context, name string) (io.ReadCloser, error) {
	file, err := os.Open(pathOf(name))
	if err != nil {
		return nil, err
	}
	if f.seeks {
		return opened(seeker{file}), nil
	}
	return opened(readerAt{seeker{file}, file}), nil
}

type seeker struct{ io.ReadSeekCloser }

func (s seeker) Close() error {
	open.Add(-1)
	return s.ReadSeekCloser.Close()
}

func (s seeker) Read(p []byte) (int, error) {
	n, err := s.ReadSeekCloser.Read(p)
	sent.Add(int64(n))
	return n, err
}

type readerAt struct {
	io.ReadCloser
	file *os.File
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.file.ReadAt(p, off)
	if info, failed := r.file.Stat(); failed == nil && off+int64(n) == info.Size() {
		err = io.EOF // as readers may return with the last bytes
	}
	sent.Add(int64(n))
	return n, err
}

type inStore struct{ filterfile.Ranges }

func (s inStore) ReadRange(ctx context.Context, name string, p []byte, off int64) error {
	sent.Add(int64(len(p)))
	return s.Ranges.ReadRange(ctx, name, p, off)
}

// silent never answers.
type silent struct{}

func (silent) ReadRange(ctx context.Context, _ string, _ []byte, _ int64) error {
	<-ctx.Done()
	return ctx.Err()
}

// counting counts what a handler sends.
type counting struct{ http.ResponseWriter }

func (c counting) Write(p []byte) (int, error) {
	sent.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

// numbersIn writes a set of the numbers from first to end in a folder, in pieces of 4 KiB.
func numbersIn(t *testing.T, dir string, first, end uint64) {
	t.Helper()
	b, err := filterset.NewBuilder(dir, policy.Linear(16), int64(end-first), 256<<20, filterset.WithParts(4), filterset.WithPieceBytes(4096))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for v := first; v < end; v++ {
		b.AddUint64(v)
	}
	if err := b.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// serve returns the address of a server of a folder, which answers 503 while down is true.
func serve(t *testing.T, dir string, down *atomic.Bool) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			http.Error(w, "down, for a test", http.StatusServiceUnavailable)
			return
		}
		http.FileServer(http.Dir(dir)).ServeHTTP(counting{w}, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestMayContainSetAt finds the keys that a local set finds, in stores of all kinds, and reads less than the set.
func TestMayContainSetAt(t *testing.T) {
	const n, sample = 400_000, 100
	dir := filepath.Join(t.TempDir(), "set")
	numbersIn(t, dir, 0, n)
	set := openSet(t, dir)
	var keys, found, pairs []any
	for i := range uint64(sample) {
		v := i * 3989 // every other one was added
		if i%2 == 1 {
			v += n * 10
		}
		keys = append(keys, v)
		if set.ContainsUint64(v) {
			found, pairs = append(found, v), append(pairs, pairText(withLine(v)))
		}
	}
	if len(found) < sample/2 || len(found) == sample {
		t.Fatalf("%d keys are found", len(found))
	}
	size := set.Info().SizeBytes()
	for _, at := range []string{dir, "readsat://" + dir, "seeks://" + dir, "store://" + dir, serve(t, filepath.Dir(dir), new(atomic.Bool)) + "/set"} {
		sent.Store(0)
		p, s := beam.NewPipelineWithRoot()
		manifest := beam.Create(s, at+"/"+filterset.Manifest)
		in := beam.Create(s, keys...)
		limits := Remote{Memory: 8 << 20, Concurrency: 4}
		passert.Equals(s, MayContainSetAt(s, manifest, in, limits), found...)
		passert.Equals(s, beam.ParDo(s, pairText, MayContainSetAt(s, manifest, beam.ParDo(s, withLine, in), limits)), pairs...)
		windowed := MayContainSetAt(s, manifest, beam.WindowInto(s, window.NewFixedWindows(time.Second), in), limits)
		passert.Equals(s, beam.WindowInto(s, window.NewGlobalWindows(), windowed), found...)
		result := ptest.RunAndValidate(t, p)

		counted := map[string]int64{}
		for _, c := range result.Metrics().Query(func(r beam.MetricResult) bool { return r.Namespace() == "simdbloom" }).Counters() {
			counted[c.Name()] += c.Result()
		}
		t.Logf("%s: %d of %d bytes were sent, counters %v", at, sent.Load(), size, counted)
		if at != dir && sent.Load() == 0 || sent.Load() > size*9/10 {
			t.Errorf("%s: %d of %d bytes were sent", at, sent.Load(), size)
		}
		if counted["requests"] == 0 || counted["bytes"] == 0 || counted["bytes"] > size {
			t.Errorf("%s: counters %v", at, counted)
		}
	}
}

// TestStoresThatFail end a pipeline, and drop no key. The next one opens the set anew.
func TestStoresThatFail(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	numbersIn(t, dir, 0, 50_000)
	var down atomic.Bool
	at := serve(t, dir, &down)
	emitted := 0
	emit := func(beam.EventTime, uint64) { emitted++ }
	manifest := []byte(at + "/" + filterset.Manifest)
	worker := func() *containsFn[uint64] {
		return &containsFn[uint64]{Lookups: lookups{Batch: 10, OfSet: true, Remote: &Remote{}}}
	}
	batch := func(fn *containsFn[uint64], from uint64) (err error) {
		emitted = 0
		for v := from; v < from+10 && err == nil; v++ {
			err = fn.ProcessElement(t.Context(), 0, v, manifest, emit)
		}
		return err
	}
	a, b := worker(), worker()
	if err := errors.Join(batch(a, 0), batch(b, 0)); err != nil || emitted != 10 || a.side.set != b.side.set {
		t.Fatalf("%d keys, %v, and one set for both: %v", emitted, err, a.side.set == b.side.set)
	}
	down.Store(true)
	var failed *containsFn[uint64]
	for v := uint64(10); v < 50_000 && failed == nil; v += 10 { // until a piece is not in memory
		if err := batch(a, v); err != nil {
			failed = a
		} else if emitted != 10 {
			t.Fatalf("%d of 10 keys", emitted)
		}
	}
	if failed == nil || emitted != 0 {
		t.Errorf("no error, or %d keys after it", emitted)
	}
	p, s := beam.NewPipelineWithRoot()
	MayContainSetAt(s, beam.Create(s, string(manifest)), numbers(s, 1000), Remote{})
	if err := ptest.Run(p); err == nil {
		t.Error("a server that is down is no error")
	}

	down.Store(false)
	c := worker()
	if err := batch(c, 40_000); err != nil || emitted != 10 || c.side.set == a.side.set {
		t.Errorf("after the failure: %d keys, %v", emitted, err)
	}
	numbersIn(t, dir, 1_000_000, 1_050_000) // replaces the set
	d := worker()
	if err := batch(d, 1_000_000); err != nil || emitted != 10 || d.side.set == c.side.set {
		t.Errorf("after the set was replaced: %d keys, %v", emitted, err)
	}
	if err := batch(d, 0); err != nil || emitted > 1 {
		t.Errorf("%d keys of the old set, %v", emitted, err)
	}
	for _, fn := range []*containsFn[uint64]{a, b, c, d} {
		fn.Teardown()
	}
	for key := range shared.sets { // other tests' sets stay: Beam did not call Teardown
		if key.manifest == string(manifest) {
			t.Error("the set stays")
		}
	}
}

// TestNoRanges: a store that cannot send ranges, does not answer, or that nothing was registered for is an error.
func TestNoRanges(t *testing.T) {
	closesAll(t)
	defer func(usual time.Duration) { patience = usual }(patience)
	patience = 20 * time.Millisecond
	objects.fail, objects.contents = "", map[string][]byte{"objects://set/" + filterset.Manifest: []byte("a set")}
	for at, want := range map[string]string{
		"objects://set":   "RegisterRanges",
		"elsewhere://set": "not registered",
		"silent://set":    context.DeadlineExceeded.Error(),
		t.TempDir():       "no such file",
	} {
		var s sideFilter
		err := s.open(t.Context(), lookups{OfSet: true, Remote: &Remote{}}, []byte(at+"/"+filterset.Manifest))
		if err == nil || !strings.Contains(err.Error(), want) && want != "no such file" {
			t.Errorf("%s: %v", at, err)
		}
	}
	if err := new(sideFilter).open(t.Context(), lookups{OfSet: true}, []byte("objects://set/"+filterset.Manifest)); err == nil {
		t.Error("no manifest is copied, without an error")
	}
	_, s := beam.NewPipelineWithRoot()
	MayContainSetAt(s, beam.Create(s, "x"), numbers(s, 10), Remote{Memory: 1 << 20}) // the least
	for what, call := range map[string]func(s beam.Scope){
		"memory":      func(s beam.Scope) { MayContainSetAt(s, beam.Create(s, "x"), numbers(s, 10), Remote{Memory: 1000}) },
		"concurrency": func(s beam.Scope) { MayContainSetAt(s, beam.Create(s, "x"), numbers(s, 10), Remote{Concurrency: -1}) },
		"twice":       func(beam.Scope) { RegisterRanges("store", nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			_, s := beam.NewPipelineWithRoot()
			call(s)
		}()
	}
}
