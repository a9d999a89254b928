package fuzz

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterset"
)

// FuzzSetManifest gives arbitrary lines with right checksums, and arbitrary bytes, to what reads a set's manifest.
func FuzzSetManifest(f *testing.F) {
	f.Add("")
	for _, parts := range []int{1, 4} {
		info := filterset.Info{Format: "simdbloom.Linear.XX64", Hash: "XX64", Layers: []filterset.Layer{{
			ID: "0123456789abcdef", BitsPerKey: 12, Parts: make([]filterset.Part, parts),
		}}}
		text, err := info.MarshalText()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
		f.Add(string(text[:len(text)-len("\nxxh64 0123456789abcdef\n")]))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, text := range []string{text, fmt.Sprintf("%s\nxxh64 %016x\n", text, xxhash.Sum64String(text+"\n"))} {
			var info, again filterset.Info
			if err := info.UnmarshalText([]byte(text)); err != nil {
				if !errors.Is(err, simdbloom.ErrCorrupt) {
					t.Fatal(err)
				}
				continue
			}
			written, err := info.MarshalText()
			if err != nil {
				t.Fatalf("%q: what was read cannot be written: %v", text, err)
			}
			if err := again.UnmarshalText(written); err != nil || !reflect.DeepEqual(info, again) {
				t.Fatalf("%q: %v, and again %v, %v", text, info, again, err)
			}
		}
	})
}
