package beam

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[noHashesOfFn]())
	beam.RegisterDoFn(reflect.TypeFor[partFn]())
	beam.RegisterDoFn(reflect.TypeFor[manifestFn]())
	register.Iter1[[]byte]()
	register.Iter1[builtPart]()
}

// Set describes the set of filters that [BuildSet] builds, and its folder.
type Set struct {
	Dir    string // the set's folder, in any file system that is registered with Beam: "gs://bucket/users"
	Policy string // such as "simdbloom.Linear:16", as [policy.Parse] reads it
	Parts  int    // the number of filters, a power of two up to 16,384

	// AllowEmpty has a set built of no keys. Otherwise it is an error of the pipeline: Beam's patterns of files that
	// match none are collections without elements.
	AllowEmpty bool

	// ID names the layer: 16 hexadecimal digits. It is chosen at random if it is empty.
	ID string
}

// BuildSet builds a set of filters of all keys of a collection, and returns a collection with one element, the name of
// the set's manifest. Each part is built by one machine, which needs about 24 bytes of memory for each of the part's
// keys: choose enough parts that each has a few million keys. [filterset.Open] opens the set in a local folder. A
// part's file depends on its keys alone, neither on their order nor on how often each is repeated: it is the one that a
// [filterset.Builder] writes with the same policy and parts, and [filterset.WithDistinct].
//
// A set that is in the folder is replaced when all parts are written, and its files are removed then. Bundles
// may be repeated, after failures too: they write the same files. If the pipeline fails, the old set stays, and so do
// the files of the new one, in a folder of its own. Nothing else may build in the folder at the same time.
//
// It panics if the set cannot be built, with the error of [Set.Check]. It is an error of the pipeline if there are no
// keys, unless AllowEmpty is set: then the old set stays.
func BuildSet(s beam.Scope, set Set, keys beam.PCollection) beam.PCollection {
	s = s.Scope("simdbloom.BuildSet")
	if err := set.Check(); err != nil {
		panic(err)
	}
	if set.ID == "" {
		var id [8]byte
		rand.Read(id[:])
		set.ID = fmt.Sprintf("%x", id)
	}
	set.Dir = strings.TrimSuffix(set.Dir, "/")

	parts := make([]int, set.Parts)
	for i := range parts {
		parts[i] = i
	}
	blocks := hashed(s, set.Policy, set.Parts, keys)
	blocks = beam.Flatten(s, blocks, beam.ParDo(s, &noHashesOfFn{}, beam.CreateList(s, parts)))
	built := beam.ParDo(s, &partFn{Set: set}, beam.GroupByKey(s, blocks))
	return beam.ParDo(s, &manifestFn{Set: set}, beam.GroupByKey(s, beam.AddFixedKey(s, built)))
}

const mostParts = 1 << 14 // as in package filterset

// Check returns an error if the set cannot be built: an unknown policy, a wrong number of parts, no folder, or a file
// system that is not registered with Beam. Programs call it after they have parsed their flags, since [BuildSet]
// panics.
func (set Set) Check() error {
	p, err := policy.Parse(set.Policy)
	if err != nil {
		return err
	}
	if set.Parts < 1 || set.Parts > mostParts || set.Parts&(set.Parts-1) != 0 {
		return fmt.Errorf("beam: the number of parts must be a power of two up to %d, not %d", mostParts, set.Parts)
	}
	if _, _, err := filterset.BuildPart(p, nil); err != nil {
		return err
	}
	if set.ID == "" {
		set.ID = "0123456789abcdef"
	}
	if _, err := set.manifest(make([]filterset.Part, set.Parts)); err != nil {
		return err
	}
	if set.Dir == "" {
		return errors.New("beam: the set's folder, Dir, must not be empty")
	}
	return CheckFileSystem(set.Dir)
}

// layer returns the folder of the part files.
func (set *Set) layer() string {
	return set.Dir + "/" + (&filterset.Layer{ID: set.ID}).Folder()
}

// manifest returns the manifest of the set with these parts.
func (set *Set) manifest(parts []filterset.Part) ([]byte, error) {
	p, err := policy.Parse(set.Policy)
	if err != nil {
		return nil, err
	}
	layer := filterset.Layer{ID: set.ID, BitsPerKey: p.BitsPerKey(), Parts: parts}
	info := filterset.Info{Format: p.Name(), Hash: p.Hash().Name(), Layers: []filterset.Layer{layer}}
	return info.MarshalText()
}

// noHashesOfFn emits a block without hashes for a part, so that there is a file even for a part without keys.
type noHashesOfFn struct{}

func (*noHashesOfFn) ProcessElement(part int) (int, []byte) { return part, nil }

// builtPart is a part whose file is written.
type builtPart struct {
	Part, Keys, Bytes int64
	Sum               int64 // of 64 bits without a sign, which Beam's schemas do not have
}

// partFn builds a part of its hashes, and writes its file.
type partFn struct {
	Set Set
}

func (fn *partFn) ProcessElement(ctx context.Context, part int, blocks func(*[]byte) bool) (builtPart, error) {
	p, err := policy.Parse(fn.Set.Policy)
	if err != nil {
		return builtPart{}, err
	}
	var hashes []uint64
	for block := []byte(nil); blocks(&block); {
		hashes = appendHashes(hashes, block)
	}
	data, info, err := filterset.BuildPart(p, hashes)
	if err != nil {
		return builtPart{}, fmt.Errorf("part %d: %w", part, err)
	}
	if err := write(ctx, fn.Set.layer()+"/"+filterset.PartFile(part), data); err != nil {
		return builtPart{}, err
	}
	return builtPart{Part: int64(part), Keys: info.Keys, Bytes: info.Bytes, Sum: int64(info.Sum)}, nil
}

var errNoKeys = errors.New("beam: there are no keys: does the input match any file? AllowEmpty has a filter built without any")

// manifestFn writes the manifest, once all parts are written.
type manifestFn struct {
	Set Set
}

func (fn *manifestFn) ProcessElement(ctx context.Context, _ int, parts func(*builtPart) bool) (string, error) {
	built := make([]filterset.Part, fn.Set.Parts)
	missing := fn.Set.Parts
	keys := int64(0)
	for part := (builtPart{}); parts(&part); missing-- {
		keys += part.Keys
		built[part.Part] = filterset.Part{Keys: part.Keys, Bytes: part.Bytes, Sum: uint64(part.Sum)}
	}
	if missing != 0 {
		return "", fmt.Errorf("beam: %d parts are missing", missing)
	}
	if keys == 0 && !fn.Set.AllowEmpty {
		return "", errNoKeys
	}
	text, err := fn.Set.manifest(built)
	if err != nil {
		return "", err
	}
	replaced, err := readManifest(ctx, fn.Set.Dir)
	if err != nil {
		return "", err
	}
	if err := storeFolders(fn.Set.layer()); err != nil { // before a manifest names it
		return "", err
	}
	name := fn.Set.Dir + "/" + filterset.Manifest
	if err := write(ctx, name, text); err != nil {
		return "", err
	}
	if err := store(fn.Set.Dir, os.O_RDONLY); err != nil {
		return "", fmt.Errorf("%s is written, but may be the old one after a crash: %w", name, err)
	}
	removeOthers(ctx, fn.Set.Dir, replaced, fn.Set.layer())
	return name, nil
}
