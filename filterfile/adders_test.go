package filterfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestAdders: what is stored has the keys that were added before, and is read again as a
// filter, which OpenMutable takes.
func TestAdders(t *testing.T) {
	mutable, err := bloom.NewMutable(1000, 10, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	concurrent, err := bloom.NewConcurrent(1000, 10, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	hashes := vectors.Hashes(1, 1001)
	for name, adder := range map[string]interface {
		filterfile.Source
		AddHashes(hashes []uint64)
		AddHash(hash uint64)
	}{"Mutable": mutable, "Concurrent": concurrent} {
		adder.AddHashes(hashes[:1000])
		made, err := filterfile.New(adder, filterfile.WithKeys(1000))
		if err != nil {
			t.Fatal(name, err)
		}
		adder.AddHash(hashes[1000])
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

// TestBitsPerKeyAreKept: whichever way a filter that accepts keys is stored, it has its capacity when it is read again.
func TestBitsPerKeyAreKept(t *testing.T) {
	for _, bits := range []float64{1, 10, 12.345} {
		m := contract.Must(bloom.NewMutable(10_000, bits, keyhash.XX64))
		c := contract.Must(bloom.NewConcurrent(10_000, bits, keyhash.XX64))
		want := contract.Must(m.MarshalBinary())
		var read simdbloom.Filter
		if err := read.UnmarshalBinary(want); err != nil {
			t.Fatal(err)
		}
		var written bytes.Buffer
		if err := filterfile.Write(&written, m); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "filter")
		if err := filterfile.WriteFile(name, m); err != nil {
			t.Fatal(err)
		}
		for how, data := range map[string][]byte{
			"Concurrent":           contract.Must(c.MarshalBinary()),
			"Snapshot":             contract.Must(m.Snapshot().MarshalBinary()),
			"CopyAligned":          contract.Must(m.Filter.CopyAligned().MarshalBinary()),
			"read again":           contract.Must(read.MarshalBinary()),
			"read again, copied":   contract.Must(read.CopyAligned().MarshalBinary()),
			"Write":                written.Bytes(),
			"WriteFile":            contract.Must(os.ReadFile(name)),
			"Append":               contract.Must(filterfile.Append(nil, m)),
			"Append of Concurrent": contract.Must(filterfile.Append(nil, c)),
			"Append of Snapshot":   contract.Must(filterfile.Append(nil, m.Snapshot())),
			"copied file":          contract.Must(contract.Must(filterfile.OpenBytes(want)).CopyAligned().MarshalBinary()),
		} {
			if !bytes.Equal(data, want) {
				t.Errorf("%v bits/key, %s: other bytes than MarshalBinary's", bits, how)
			}
			var again simdbloom.Mutable
			if err := again.UnmarshalBinary(data); err != nil || again.Capacity() != m.Capacity() {
				t.Errorf("%v bits/key, %s: a capacity of %d, want %d, %v", bits, how, again.Capacity(), m.Capacity(), err)
			}
		}
		data := contract.Must(filterfile.Append(nil, m, filterfile.WithBitsPerKey(7)))
		if info := contract.Must(filterfile.OpenBytes(data)).Info(); info.BitsPerKey != 7 {
			t.Errorf("%v bits/key recorded, want those that are given", info.BitsPerKey)
		}
	}
}
