package filterfile_test

import (
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestGrowingFilters: what is stored has the keys that were added before, and is read again as a
// filter, which OpenMutable takes.
func TestGrowingFilters(t *testing.T) {
	mutable, err := bloom.NewMutable(1000, 10, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	concurrent, err := bloom.NewConcurrent(1000, 10, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	hashes := vectors.Hashes(1, 1001)
	for name, growing := range map[string]interface {
		filterfile.Source
		AddHashes(hashes []uint64)
		AddHash(hash uint64)
	}{"Mutable": mutable, "Concurrent": concurrent} {
		growing.AddHashes(hashes[:1000])
		made, err := filterfile.New(growing, filterfile.WithKeys(1000))
		if err != nil {
			t.Fatal(name, err)
		}
		growing.AddHash(hashes[1000])
		data, err := made.MarshalBinary()
		if err != nil {
			t.Fatal(name, err)
		}
		f, err := filterfile.OpenBytes(data)
		if err != nil {
			t.Fatal(name, err)
		}
		if f.Info().Format != "simdbloom.FastLocal.XX64" || f.Info().Keys != 1000 {
			t.Errorf("%s: %+v", name, f.Info())
		}
		for i, hash := range hashes[:1000] {
			if !f.ContainsHash(hash) {
				t.Fatalf("%s: hash %d is missing", name, i)
			}
		}
		again, err := simdbloom.OpenMutable(simdbloom.FastLocal, f.Bytes(), f.Hash())
		if err != nil || !again.ContainsHash(hashes[0]) {
			t.Fatal(name, err)
		}
	}
}
