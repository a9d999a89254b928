package filterset_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

// sealedManifest returns the bytes of a manifest with this text.
func sealedManifest(text string) []byte {
	return fmt.Appendf(nil, "%s\nxxh64 %016x\n", text, xxhash.Sum64String(text+"\n"))
}

const (
	goodLayer = `{"id":"00000000000000ab","bits_per_key":10,"parts":1,"keys":[3],"bytes":[200],"sums":["0123456789abcdef"]}`
	goodSet   = `{"set":1,"format":"simdbloom.FastLocal.XX64","hash":"XX64","layers":[` + goodLayer + `]}`
)

func TestManifestsAreWhatTheFormatSays(t *testing.T) {
	var info filterset.Info
	if err := info.UnmarshalText(sealedManifest(goodSet)); err != nil {
		t.Fatal(err)
	}
	if info.Keys() != 3 || info.SizeBytes() != 200 || info.Layers[0].Folder() != "layer-00000000000000ab" || info.Layers[0].Parts[0].Sum != 0x0123456789abcdef {
		t.Error(info)
	}
	if text := must(info.MarshalText()); string(text) != string(sealedManifest(goodSet)) {
		t.Errorf("%s", text)
	}
	twice := strings.Replace(goodSet, `"layers":[`, `"layers":[`+goodLayer+`],"layers":[`, 1)
	if err := info.UnmarshalText(sealedManifest(twice)); err != nil || len(info.Layers) != 1 {
		t.Errorf("layers that are listed twice: %d, %v", len(info.Layers), err)
	}
}

// TestHostileManifests: each is an error.
func TestHostileManifests(t *testing.T) {
	var info filterset.Info
	good := sealedManifest(goodSet)
	refused := func(text []byte) {
		t.Helper()
		if err := info.UnmarshalText(text); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for n := range good {
		refused(good[:n])
		for bit := range 8 {
			bad := []byte(string(good))
			bad[n] ^= 1 << bit
			refused(bad)
		}
	}
	refused(append(good, '\n'))
	for _, change := range [][2]string{
		{`"set":1`, `"set":2`},
		{`"set":1`, `"set":1e400`},
		{`"hash":"XX64"`, `"hash":""`},
		{`"hash":"XX64"`, `"hash":"XXPH3"`},
		{"simdbloom.FastLocal.XX64", "XX64"},
		{"00000000000000ab", "../../../../etc/x"},
		{"00000000000000ab", "00000000000000AB"},
		{"00000000000000ab", ""},
		{goodLayer, goodLayer + "," + goodLayer},
		{`"bits_per_key":10`, `"bits_per_key":0`},
		{`"parts":1`, `"parts":1,"input":"a\nb"`},
		{`"parts":1`, `"parts":1,"input":"` + strings.Repeat("a", 1025) + `"`},
		{`"bits_per_key":10`, `"bits_per_key":-1`},
		{`"bits_per_key":10`, `"bits_per_key":1e999`},
		{`"parts":1`, `"parts":2`},
		{`"parts":1`, `"parts":-1`},
		{`"parts":1`, `"parts":1152921504606846976`},
		{`"parts":1,"keys":[3],"bytes":[200],"sums":["0123456789abcdef"]`, `"parts":0,"keys":[],"bytes":[],"sums":[]`},
		{`"parts":1,"keys":[3],"bytes":[200],"sums":["0123456789abcdef"]`, `"parts":3,"keys":[3,3,3],"bytes":[200,200,200],"sums":["0123456789abcdef","0123456789abcdef","0123456789abcdef"]`},
		{`[3]`, `[3,3]`},
		{`[200]`, `[200,200]`},
		{`["0123456789abcdef"]`, `["0123456789abcdef","0123456789abcdef"]`},
		{`[3]`, `[-3]`},
		{`[200]`, `[-1]`},
		{`[200]`, `[9223372036854775808]`},
		{`0123456789abcdef`, `+123456789abcdef`},
		{`0123456789abcdef`, `123456789abcdef`},
		{goodSet, `[]`},
		{goodSet, goodSet + goodSet},
		{goodSet, goodSet + "\n"},
		{`[` + goodLayer + `]`, goodLayer},
		{`[` + goodLayer + `]`, `"layers"`},
	} {
		changed := strings.ReplaceAll(goodSet, change[0], change[1])
		if changed == goodSet {
			t.Fatalf("%q is not in the manifest", change[0])
		}
		refused(sealedManifest(changed))
	}
	many := strings.Repeat(goodLayer+",", 1024) + goodLayer
	refused(sealedManifest(strings.ReplaceAll(goodSet, goodLayer, many)))
	if info.Layers != nil {
		t.Error("an error has changed the Info")
	}
}

// TestWrongPartsAreFound: a file that is not the one of the manifest, or a wrong byte in it.
func TestWrongPartsAreFound(t *testing.T) {
	hashes := someHashes(1, 20_000)
	dir := filepath.Join(t.TempDir(), "set")
	buildSet(t, dir, policy.FastLocal(10), hashes, filterset.WithParts(2))
	layer := filepath.Join(dir, infoOf(t, dir).Layers[0].Folder())
	first, second := filepath.Join(layer, filterset.PartFile(0)), filepath.Join(layer, filterset.PartFile(1))
	data, other := must(os.ReadFile(first)), must(os.ReadFile(second))
	write := func(data []byte) {
		os.Remove(first) // other sets may have it mapped
		if err := os.WriteFile(first, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(data[:len(data)-1])
	if _, err := filterset.Open(dir); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
	os.Remove(first)
	if _, err := filterset.Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := os.Mkdir(first, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := filterset.Open(dir); err == nil {
		t.Error("a folder is a part")
	}
	flipped := []byte(string(data))
	flipped[len(data)-100] ^= 1
	header := []byte(string(data))
	header[24] ^= 1
	for name, bad := range map[string][]byte{"the other part": append(other, data...)[:len(data)], "a bit": flipped, "the header": header} {
		write(bad)
		for _, options := range [][]filterfile.OpenOption{nil, {filterfile.WithLazyCheck()}} {
			s := openSet(t, dir, options...)
			if s.Err() != nil {
				t.Errorf("%s: before a lookup: %v", name, s.Err())
			}
			hits := make([]bool, len(hashes))
			s.ContainsHashes(hashes, hits)
			for i, hit := range hits {
				if !hit || !s.ContainsHash(hashes[i]) {
					t.Fatalf("%s: a false negative", name)
				}
			}
			if !errors.Is(s.Err(), simdbloom.ErrCorrupt) || !strings.Contains(s.Err().Error(), first) {
				t.Errorf("%s: %v", name, s.Err())
			}
			if err := s.Verify(context.Background(), nil); !errors.Is(err, simdbloom.ErrCorrupt) || strings.Contains(err.Error(), second) {
				t.Errorf("%s: Verify: %v", name, err)
			}
			if rate := s.EstimatedFPR(); rate < 0.5 || rate > 0.52 {
				t.Errorf("%s: estimated rate %v", name, rate)
			}
		}
	}
	write(data)
	manifest := filepath.Join(dir, filterset.Manifest)
	text := must(os.ReadFile(manifest))
	text[20] ^= 1
	if err := os.WriteFile(manifest, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := filterset.Open(dir); !errors.Is(err, simdbloom.ErrCorrupt) || strings.Count(err.Error(), "filterset") != 1 {
		t.Error(err)
	}
	if _, err := filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory, filterset.WithLayer()); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
	buildSet(t, dir, policy.FastLocal(10), hashes) // a new set takes the place of a corrupt one
	if err := openSet(t, dir).Verify(context.Background(), nil); err != nil {
		t.Error(err)
	}
}

// TestManyLayersTakeLittleMemory, even if each takes two bytes of the manifest.
func TestManyLayersTakeLittleMemory(t *testing.T) {
	for _, layer := range []string{"{}", "0", "null"} {
		text := sealedManifest(strings.ReplaceAll(goodSet, goodLayer, strings.Repeat(layer+",", 1<<20)+layer))
		var info filterset.Info
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := info.UnmarshalText(text)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, simdbloom.ErrCorrupt) || took > uint64(8*len(text)) {
			t.Errorf("%s: a manifest of %d bytes took %d: %v", layer, len(text), took, err)
		}
	}
}

// TestSetWithoutLayers has no keys.
func TestSetWithoutLayers(t *testing.T) {
	for _, layers := range []string{"[]", "null"} {
		dir := t.TempDir()
		text := sealedManifest(strings.ReplaceAll(goodSet, "["+goodLayer+"]", layers))
		if err := os.WriteFile(filepath.Join(dir, filterset.Manifest), text, 0o666); err != nil {
			t.Fatal(err)
		}
		s := openSet(t, dir)
		hashes := someHashes(1, 100)
		hits, bits := make([]bool, len(hashes)), []uint64{7, 7}
		for i := range hits {
			hits[i] = true
		}
		s.ContainsHashes(hashes, hits)
		s.ContainsHashBits(hashes, bits)
		if slices.Contains(hits, true) || bits[0]|bits[1] != 0 || s.AppendHits(nil, hashes) != nil || s.ContainsHash(1) {
			t.Errorf("%s: %v, %x", layers, hits, bits)
		}
		if s.Info().Keys() != 0 || s.Info().PredictedFPR() != 0 || s.EstimatedFPR() != 0 || s.Verify(context.Background(), nil) != nil {
			t.Errorf("%s: %d keys, %v, %v", layers, s.Info().Keys(), s.Info().PredictedFPR(), s.EstimatedFPR())
		}
	}
}

// TestNoFolder: an empty name is not that of the working directory.
func TestNoFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	buildSet(t, ".", policy.FastLocal(10), someHashes(1, 10))
	if err := os.Mkdir("other", 0o777); err != nil {
		t.Fatal(err)
	}
	_, opened := filterset.Open("")
	_, built := filterset.NewBuilder("", policy.FastLocal(10), 1, setMemory)
	for _, err := range []error{opened, built, filterset.Merge("", "."), filterset.Merge("other", "")} {
		if err == nil || !strings.HasSuffix(err.Error(), "name of the set's folder is empty") {
			t.Errorf("the error is %v", err)
		}
	}
}

// TestOtherFoldersStay: builders remove only folders whose name is that of a layer.
func TestOtherFoldersStay(t *testing.T) {
	dir := t.TempDir()
	others := []string{"layer-", "layer-notes", "layer-0123456789ABCDEF", "layer-0123456789abcdef0", "0123456789abcdef"}
	for _, name := range others {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	left := filepath.Join(dir, "."+filterset.Manifest+".5.tmp") // of a killed builder
	if err := os.WriteFile(left, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	must(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory)).Close()
	if _, err := os.Lstat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	buildSet(t, dir, policy.FastLocal(10), someHashes(1, 10))
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestUnreadableManifest: the layers that it may list stay, and those of a builder that was closed before go.
func TestUnreadableManifest(t *testing.T) {
	dir := t.TempDir()
	hashes := someHashes(1, 100)
	buildSet(t, dir, policy.FastLocal(10), hashes)
	layer := infoOf(t, dir).Layers[0]
	path := filepath.Join(dir, filterset.Manifest)
	text := must(os.ReadFile(path))
	for _, unreadable := range []func() error{
		func() error { return os.WriteFile(path, text[:10], 0o666) },
		func() error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o777)) },
	} {
		if err := unreadable(); err != nil {
			t.Fatal(err)
		}
		if _, err := filterset.Open(dir); err == nil {
			t.Fatal("the manifest was read")
		}
		if err := filterset.DiscardLayer(dir, layer.ID, true); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, layer.Folder())); err != nil {
			t.Fatal(err)
		}
	}
	must(filterset.NewBuilder(dir, policy.FastLocal(10), 1, setMemory)).Close() // both remove unused layers
	if _, err := os.Stat(filepath.Join(dir, layer.Folder())); err != nil {
		t.Error(err)
	}
	if err := filterset.DiscardLayer(dir, layer.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, layer.Folder())); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestPartsOfAnotherSet: a part that is a valid filter of the same size, format and number of keys, but not the one
// that the manifest lists, is found, and no key is missing until then.
func TestPartsOfAnotherSet(t *testing.T) {
	folder := t.TempDir()
	dir, other := filepath.Join(folder, "set"), filepath.Join(folder, "other")
	hashes := someHashes(1, 1000)
	buildSet(t, dir, policy.FastLocal(10), hashes, filterset.WithParts(1))
	buildSet(t, other, policy.FastLocal(10), someHashes(2, 1000), filterset.WithParts(1))
	part := func(dir string) string {
		return filepath.Join(dir, infoOf(t, dir).Layers[0].Folder(), filterset.PartFile(0))
	}
	file, data := part(dir), must(os.ReadFile(part(other)))
	if len(data) != len(must(os.ReadFile(file))) {
		t.Fatal("the parts differ in size")
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	s := openSet(t, dir)
	if n := len(s.AppendHits(nil, hashes)); n != len(hashes) || !errors.Is(s.Err(), simdbloom.ErrCorrupt) {
		t.Errorf("%d of %d keys, %v", n, len(hashes), s.Err())
	}
	if err := s.Verify(context.Background(), nil); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
}

// TestLinkedParts: a part may be a symbolic link. A set that it is merged into gets the file, not the link.
func TestLinkedParts(t *testing.T) {
	folder := t.TempDir()
	from, dir := filepath.Join(folder, "from"), filepath.Join(folder, "set")
	hashes := someHashes(1, 1000)
	buildSet(t, from, policy.FastLocal(10), hashes, filterset.WithParts(1))
	part := filepath.Join(from, infoOf(t, from).Layers[0].Folder(), filterset.PartFile(0))
	if err := filterset.Merge(dir, from); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(dir, infoOf(t, dir).Layers[0].Folder(), filterset.PartFile(0))
	if runtime.GOOS == "linux" && !os.SameFile(must(os.Stat(linked)), must(os.Stat(part))) {
		t.Error("a part was copied")
	}
	os.RemoveAll(dir)
	if err := os.Rename(part, filepath.Join(from, "part")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../part", part); err != nil {
		t.Skip(err)
	}
	if n := len(openSet(t, from).AppendHits(nil, hashes)); n != len(hashes) {
		t.Errorf("%d of %d keys in the set with a link", n, len(hashes))
	}
	if err := filterset.Merge(dir, from); err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(from)
	s := openSet(t, dir)
	if n := len(s.AppendHits(nil, hashes)); n != len(hashes) || s.Verify(context.Background(), nil) != nil {
		t.Errorf("%d of %d keys, %v", n, len(hashes), s.Err())
	}
}
