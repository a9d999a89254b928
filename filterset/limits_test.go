package filterset_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

// TestManifestLimits has what a manifest may just have, and a little more.
func TestManifestLimits(t *testing.T) {
	part := func(keys, bytes int64) filterset.Part { return filterset.Part{Keys: keys, Bytes: bytes} }
	set := func(parts ...filterset.Part) filterset.Info {
		return filterset.Info{
			Format: "simdbloom.FastLocal.XX64", Hash: "XX64",
			Layers: []filterset.Layer{{ID: "00000000000000ab", BitsPerKey: 10, Parts: parts}},
		}
	}
	layers := func(n int) (info filterset.Info) {
		info = set(part(1, 1))
		for i := 1; i < n; i++ {
			layer := info.Layers[0]
			layer.ID = fmt.Sprintf("%016x", i<<8)
			info.Layers = append(info.Layers, layer)
		}
		return info
	}
	withHash := func(format, hash string) filterset.Info {
		info := set(part(1, 1))
		info.Format, info.Hash = format, hash
		return info
	}
	const most = math.MaxInt64
	for name, c := range map[string]struct {
		info  filterset.Info
		valid bool
	}{
		"most keys":             {set(part(most, 1)), true},
		"most bytes":            {set(part(1, most)), true},
		"most keys in two":      {set(part(most-1, 1), part(1, 1)), true},
		"a key more":            {set(part(most, 1), part(1, 1)), false},
		"a byte more":           {set(part(1, most), part(1, 1)), false},
		"2^64 bytes":            {set(part(1, most), part(1, most), part(1, 2), part(1, 0)), false},
		"2^64 keys":             {set(part(most, 1), part(most, 1), part(2, 1), part(0, 1)), false},
		"most parts":            {set(make([]filterset.Part, 1<<14)...), true},
		"twice the parts":       {set(make([]filterset.Part, 2*1<<14)...), false},
		"most layers":           {layers(1024), true},
		"a layer more":          {layers(1025), false},
		"no name of a hash":     {withHash("simdbloom.FastLocal.", ""), false},
		"not the format's hash": {withHash("simdbloom.FastLocal.XX64", "64"), false},
	} {
		text, err := c.info.MarshalText()
		if (err == nil) != c.valid {
			t.Errorf("%s: %v", name, err)
		}
		var again filterset.Info
		if err == nil && (again.UnmarshalText(text) != nil || again.SizeBytes() != c.info.SizeBytes() || again.Keys() != c.info.Keys()) {
			t.Errorf("%s: another manifest is read", name)
		}
	}
}

// TestMergingChecksSizes: a part that is longer or shorter than the manifest lists is not merged.
func TestMergingChecksSizes(t *testing.T) {
	folder := t.TempDir()
	from := filepath.Join(folder, "from")
	buildSet(t, from, policy.FastLocal(10), someHashes(1, 1000), filterset.WithParts(1))
	part := filepath.Join(from, infoOf(t, from).Layers[0].Folder(), filterset.PartFile(0))
	data := must(os.ReadFile(part))
	for _, other := range [][]byte{data[:len(data)-1], append(data[:len(data):len(data)], 0)} {
		os.Remove(part)
		if err := os.WriteFile(part, other, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := filterset.Merge(filepath.Join(folder, "to"), from); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%d bytes for %d: %v", len(other), len(data), err)
		}
	}
	if err := os.WriteFile(part, data, 0o666); err != nil {
		t.Fatal(err)
	}
	info := infoOf(t, from)
	info.Layers[0].Parts[0].Keys = math.MaxInt64
	to := filepath.Join(folder, "there")
	buildSet(t, to, policy.FastLocal(10), []uint64{1})
	if err := os.WriteFile(filepath.Join(from, filterset.Manifest), must(info.MarshalText()), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := filterset.Merge(to, from); err == nil || infoOf(t, to).Keys() != 1 {
		t.Errorf("2^63 keys are merged: %v", err)
	}
	os.Remove(part)
	if err := filterset.Merge(filepath.Join(folder, "to"), from); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a part that is missing: %v", err)
	}
}
