package beam

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

func init() {
	filesystem.Register("objects", func(context.Context) filesystem.Interface { return opened(objects) })
	filesystem.Register("files", func(context.Context) filesystem.Interface { return opened(files{objects}) })
}

// objects cannot be renamed, and have what was written once they are closed. Operations whose name is in fail do.
var objects = &memory{contents: make(map[string][]byte)}

type memory struct {
	contents map[string][]byte
	fail     string
}

var errFails = errors.New("this operation fails, for a test")

func (m *memory) does(what string) error {
	if m.fail == what {
		return errFails
	}
	return nil
}

func (m *memory) Close() error {
	open.Add(-1)
	return nil
}

// open counts the files and file systems of these tests that are open.
var open atomic.Int64

func opened[F any](file F) F {
	open.Add(1)
	return file
}

// closesAll fails a test that leaves some open.
func closesAll(t *testing.T) {
	before := open.Load()
	t.Cleanup(func() {
		if n := open.Load() - before; n != 0 {
			t.Errorf("%d files or file systems are left open", n)
		}
	})
}

func (m *memory) List(_ context.Context, glob string) (names []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(m.contents)) {
		if prefix, rest, _ := strings.Cut(glob, "*"); strings.HasPrefix(name, prefix) && strings.Contains(name[len(prefix):], strings.TrimSuffix(rest, "*")) {
			names = append(names, name)
		}
	}
	return names, m.does("list")
}

func (m *memory) OpenRead(_ context.Context, name string) (io.ReadCloser, error) {
	if err := m.does("read"); err != nil {
		return nil, err
	}
	return opened(reader{m, bytes.NewReader(m.contents[name])}), nil
}

type reader struct {
	io.Closer
	io.Reader
}

func (m *memory) OpenWrite(_ context.Context, name string) (io.WriteCloser, error) {
	return &object{memory: m, name: name}, m.does("open")
}

func (m *memory) Size(_ context.Context, name string) (int64, error) {
	return int64(len(m.contents[name])), nil
}

type object struct {
	*memory
	bytes.Buffer
	name string
}

func (o *object) Write(data []byte) (int, error) {
	n, _ := o.Buffer.Write(data)
	return n, o.does("write")
}

func (o *object) Close() error {
	o.contents[o.name] = o.Bytes()
	return o.does("close")
}

// files can be renamed and removed.
type files struct{ *memory }

func (f files) Rename(_ context.Context, from, to string) error {
	if err := f.does("rename"); err != nil {
		return err
	}
	f.contents[to] = f.contents[from]
	delete(f.contents, from)
	return nil
}

func (f files) Remove(_ context.Context, name string) error {
	delete(f.contents, name)
	return nil
}

// TestWritesThatFail are errors. Where files can be renamed, they leave nothing, and the old file stays.
func TestWritesThatFail(t *testing.T) {
	closesAll(t)
	ctx := context.Background()
	for _, fail := range []string{"", "open", "write", "close", "rename"} {
		for _, scheme := range []string{"objects://", "files://"} {
			name := scheme + "file"
			objects.contents, objects.fail = map[string][]byte{name: []byte("old")}, fail
			fails := fail != "" && (fail != "rename" || scheme == "files://")
			if err := write(ctx, name, []byte("new")); errors.Is(err, errFails) != fails || !fails && err != nil {
				t.Errorf("%s, %q fails: %v", scheme, fail, err)
			}
			want := "new"
			if fails {
				want = "old"
			}
			if got := string(objects.contents[name]); (scheme == "files://" || !fails) && (got != want || len(objects.contents) != 1) {
				t.Errorf("%s, %q fails: %q, and %d files", scheme, fail, got, len(objects.contents))
			}
		}
	}
}

// TestBuiltParts: a part's file and what the manifest gets are those of filterset.BuildPart, in whatever order blocks
// come, and however often their keys are repeated: another attempt writes the same file.
func TestBuiltParts(t *testing.T) {
	ctx := context.Background()
	var keys []uint64
	for i := range uint64(700) {
		keys = append(keys, keyhash.XX64.SumUint64(i))
	}
	hashes := append(slices.Clone(keys), keys[:300]...)
	for _, text := range []string{"simdbloom.FastLocal:10", "simdbloom.Linear:16"} {
		set := Set{Dir: t.TempDir(), Policy: text, Parts: 4, ID: "0123456789abcdef"}
		data, info, err := filterset.BuildPart(mustBe(policy.Parse(set.Policy))(t), slices.Clone(keys))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			blocks := [][]byte{appendBlock(nil, hashes[:1]), nil, appendBlock(nil, hashes[1:900]), appendBlock(nil, hashes[900:])}
			got, err := (&partFn{Set: set}).ProcessElement(ctx, 2, func(block *[]byte) bool {
				if len(blocks) == 0 {
					return false
				}
				*block, blocks = blocks[0], blocks[1:]
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			file := mustBe(os.ReadFile(filepath.Join(set.layer(), filterset.PartFile(2))))(t)
			if want := (builtPart{2, 700, info.Bytes, int64(info.Sum)}); got != want || !bytes.Equal(file, data) {
				t.Errorf("%s: %+v, want %+v, of the same bytes: %v", text, got, want, bytes.Equal(file, data))
			}
			rand.Shuffle(len(hashes), func(i, k int) { hashes[i], hashes[k] = hashes[k], hashes[i] })
		}
	}
}

// manifestOf gives the parts to the last function of a pipeline.
func manifestOf(set Set, parts ...builtPart) (string, error) {
	return (&manifestFn{Set: set}).ProcessElement(context.Background(), 0, func(part *builtPart) bool {
		if len(parts) == 0 {
			return false
		}
		*part, parts = parts[0], parts[1:]
		return true
	})
}

// TestManifests: one is written only of all parts, each once, and if the old one can be read. Then the old files are
// removed, unless they are the new ones, and so are those that attempts have left.
func TestManifests(t *testing.T) {
	closesAll(t)
	objects.fail, objects.contents = "", make(map[string][]byte)
	set := Set{Dir: "files://set", Policy: "simdbloom.Linear:16", Parts: 2, ID: "0123456789abcdef", AllowEmpty: true}
	parts := func(set Set) (built []builtPart) {
		for i := range set.Parts {
			built = append(built, mustBe((&partFn{Set: set}).ProcessElement(context.Background(), i, func(*[]byte) bool { return false }))(t))
		}
		return built
	}
	built := parts(set)
	name := set.Dir + "/" + filterset.Manifest
	for what, wrong := range map[string][]builtPart{"no part": nil, "one part": built[:1], "three parts": {built[0], built[1], built[0]}} {
		if _, err := manifestOf(set, wrong...); err == nil || objects.contents[name] != nil {
			t.Errorf("%s: %v, and %d bytes", what, err, len(objects.contents[name]))
		}
	}
	objects.contents[set.layer()+"/"+filterset.PartFile(1)+temporary+"x"] = nil
	for range 2 { // the second is a repeated bundle
		if got, err := manifestOf(set, built...); err != nil || got != name || len(objects.contents) != 3 {
			t.Fatalf("%s, %v, and the files %q", got, err, slices.Sorted(maps.Keys(objects.contents)))
		}
	}
	var info filterset.Info
	if err := info.UnmarshalText(objects.contents[name]); err != nil || len(info.Layers) != 1 || info.Layers[0].ID != set.ID {
		t.Errorf("%+v, %v", info, err)
	}
	for i, part := range info.Layers[0].Parts {
		if part != (filterset.Part{Keys: built[i].Keys, Bytes: built[i].Bytes, Sum: uint64(built[i].Sum)}) {
			t.Errorf("part %d is %+v, want %+v", i, part, built[i])
		}
	}

	next := set
	next.ID, next.Parts = "fedcba9876543210", 4
	objects.contents[name] = append(objects.contents[name], "nonsense"...)
	more, damaged := parts(next), bytes.Clone(objects.contents[name])
	if _, err := manifestOf(next, more...); err == nil || !bytes.Equal(objects.contents[name], damaged) || len(objects.contents) != 7 {
		t.Errorf("a damaged manifest: %v, and %d files", err, len(objects.contents))
	}
	objects.contents[name] = bytes.TrimSuffix(damaged, []byte("nonsense"))
	for _, fail := range []string{"list", "read"} {
		objects.fail = fail
		if _, err := manifestOf(next, more...); !errors.Is(err, errFails) {
			t.Errorf("%s fails: %v", fail, err)
		}
	}
	objects.fail = ""
	objects.contents[set.layer()] = nil // a folder, which is removed, too
	if _, err := manifestOf(next, more...); err != nil || len(objects.contents) != 5 {
		t.Errorf("%v, and the files %q", err, slices.Sorted(maps.Keys(objects.contents)))
	}
}
