package filterfile_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/filterfile"
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
	var info filterfile.SetInfo
	if err := info.UnmarshalText(sealedManifest(goodSet)); err != nil {
		t.Fatal(err)
	}
	if info.Keys() != 3 || info.SizeBytes() != 200 || info.Layers[0].Folder() != "layer-00000000000000ab" || info.Layers[0].Parts[0].Sum != 0x0123456789abcdef {
		t.Error(info)
	}
	if text := must(info.MarshalText()); string(text) != string(sealedManifest(goodSet)) {
		t.Errorf("%s", text)
	}
}

// TestHostileManifests: each is an error.
func TestHostileManifests(t *testing.T) {
	var info filterfile.SetInfo
	good := sealedManifest(goodSet)
	refused := func(text []byte) {
		t.Helper()
		if err := info.UnmarshalText(text); !errors.Is(err, filterfile.ErrCorrupt) {
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
		{`"bits_per_key":10`, `"bits_per_key":-1`},
		{`"bits_per_key":10`, `"bits_per_key":1e999`},
		{`"parts":1`, `"parts":2`},
		{`"parts":1`, `"parts":-1`},
		{`"parts":1`, `"parts":1152921504606846976`},
		{`"parts":1,"keys":[3],"bytes":[200],"sums":["0123456789abcdef"]`, `"parts":0,"keys":[],"bytes":[],"sums":[]`},
		{`"parts":1,"keys":[3],"bytes":[200],"sums":["0123456789abcdef"]`, `"parts":3,"keys":[3,3,3],"bytes":[200,200,200],"sums":["0123456789abcdef","0123456789abcdef","0123456789abcdef"]`},
		{`[3]`, `[-3]`},
		{`[200]`, `[-1]`},
		{`[200]`, `[9223372036854775808]`},
		{`0123456789abcdef`, `+123456789abcdef`},
		{`0123456789abcdef`, `123456789abcdef`},
		{goodSet, `[]`},
		{goodSet, goodSet + goodSet},
		{goodSet, goodSet + "\n"},
	} {
		changed := strings.ReplaceAll(goodSet, change[0], change[1])
		if changed == goodSet {
			t.Fatalf("%q is not in the manifest", change[0])
		}
		refused(sealedManifest(changed))
	}
	many := strings.Repeat(goodLayer+",", filterfile.MaxLayers) + goodLayer
	refused(sealedManifest(strings.ReplaceAll(goodSet, goodLayer, many)))
	if info.Layers != nil {
		t.Error("an error has changed the SetInfo")
	}
}

// TestWrongPartsAreFound: a file that is not the one of the manifest, or a wrong byte in it.
func TestWrongPartsAreFound(t *testing.T) {
	hashes := someHashes(1, 20_000)
	dir := filepath.Join(t.TempDir(), "set")
	buildSet(t, dir, policy.FastLocal(10), hashes, filterfile.WithParts(2))
	layer := filepath.Join(dir, openSet(t, dir).Info().Layers[0].Folder())
	first, second := filepath.Join(layer, filterfile.PartFile(0)), filepath.Join(layer, filterfile.PartFile(1))
	data, other := must(os.ReadFile(first)), must(os.ReadFile(second))
	write := func(data []byte) {
		os.Remove(first) // other sets have it mapped
		if err := os.WriteFile(first, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(data[:len(data)-1])
	if _, err := filterfile.OpenSet(dir); !errors.Is(err, filterfile.ErrCorrupt) {
		t.Error(err)
	}
	os.Remove(first)
	if _, err := filterfile.OpenSet(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := os.Mkdir(first, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := filterfile.OpenSet(dir); err == nil {
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
			if !errors.Is(s.Err(), filterfile.ErrCorrupt) || !strings.Contains(s.Err().Error(), first) {
				t.Errorf("%s: %v", name, s.Err())
			}
			if err := s.Verify(context.Background(), nil); !errors.Is(err, filterfile.ErrCorrupt) || strings.Contains(err.Error(), second) {
				t.Errorf("%s: Verify: %v", name, err)
			}
			if rate := s.EstimatedFPR(); rate < 0.5 || rate > 0.52 {
				t.Errorf("%s: estimated rate %v", name, rate)
			}
		}
	}
	write(data)
	manifest := filepath.Join(dir, filterfile.SetManifest)
	text := must(os.ReadFile(manifest))
	text[20] ^= 1
	if err := os.WriteFile(manifest, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := filterfile.OpenSet(dir); !errors.Is(err, filterfile.ErrCorrupt) || strings.Count(err.Error(), "filterfile") != 1 {
		t.Error(err)
	}
	if _, err := filterfile.NewSetBuilder(dir, policy.FastLocal(10), 1, setMemory, filterfile.WithLayer()); !errors.Is(err, filterfile.ErrCorrupt) {
		t.Error(err)
	}
	buildSet(t, dir, policy.FastLocal(10), hashes) // a new set takes the place of a corrupt one
	if err := openSet(t, dir).Verify(context.Background(), nil); err != nil {
		t.Error(err)
	}
}
