package simdbloom_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

func TestFormats(t *testing.T) {
	names := map[simdbloom.Format]string{simdbloom.Reserved: "reserved", simdbloom.Empty: "empty"}
	for _, f := range contract.Formats() {
		names[f.Format] = strings.TrimRight(strings.Split(f.Family, ".")[1], "0123456789")
	}
	unknown := simdbloom.Format(len(names))
	names[unknown] = fmt.Sprintf("simdbloom.Format(%d)", len(names))
	for format, name := range names {
		if got := format.String(); got != name {
			t.Errorf("format %d is %s, not %s", format, got, name)
		}
		if _, err := simdbloom.Open(format, nil, keyhash.XX64); (err == nil) != (format > simdbloom.Empty && format < unknown) {
			t.Errorf("Open of %s: %v", name, err)
		}
		if _, err := simdbloom.Open(format, nil, keyhash.Hash{}); err == nil || errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("Open of %s with the zero Hash: %v", name, err)
		}
	}
}

// TestTextOpens: of 47 bytes of text only some formats find out that they are no filter.
func TestTextOpens(t *testing.T) {
	text := []byte("A filter stores a set of keys in a few bits each")
	for _, f := range contract.Formats() {
		if _, err := simdbloom.Open(f.Format, text[:47], keyhash.XX64); errors.Is(err, simdbloom.ErrCorrupt) != f.Strict {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if _, err := simdbloom.Open(simdbloom.SplitBlock, text[:32], keyhash.XX64); err != nil {
		t.Error(err)
	}
}

// TestRocksDBsNames: under each of these names, tables have filters of all three formats. Keys are looked
// up in them by their own hash.
func TestRocksDBsNames(t *testing.T) {
	rocksDB := []contract.Format{contract.FastLocal.With(keyhash.XXPH3), contract.Ribbon.With(keyhash.XXPH3), contract.Legacy}
	keys := vectors.Keys("le64", 0, 4000)
	var values []uint64
	for i := range keys {
		values = append(values, uint64(i))
	}
	for _, is := range rocksDB {
		b := is.Builder(t, 10)
		b.AddKeys(keys[:2000])
		data := is.Finish(t, b)
		own := is.Opened(t, data)
		want, hits := make([]bool, len(keys)), make([]bool, len(keys))
		own.ContainsKeys(keys, want)
		for _, recorded := range rocksDB {
			name := recorded.Family + recorded.Hash.Name()
			f := contract.Must(simdbloom.OpenNamed(name, data, recorded.Hash))
			var read simdbloom.Filter
			if err := read.UnmarshalBinary(contract.Must(f.MarshalBinary())); err != nil {
				t.Fatal(err)
			}
			for what, f := range map[string]*simdbloom.Filter{"opened": f, "copied": f.CopyAligned(), "read": &read} {
				what = fmt.Sprintf("%v under %s, %s", is.Format, name, what)
				if f.Name() != name || f.Hash() != recorded.Hash || f.Format() != is.Format || !bytes.Equal(f.Bytes(), data) ||
					f.NumProbes() != own.NumProbes() || f.EstimatedFPR() != own.EstimatedFPR() {
					t.Errorf("%s: %s, %s, %v, %d probes", what, f.Name(), f.Hash().Name(), f.Format(), f.NumProbes())
				}
				for i, key := range keys {
					if f.Contains(key) != want[i] || f.ContainsString(string(key)) != want[i] || f.ContainsUint64(values[i]) != want[i] {
						t.Fatalf("%s: key %d: not %v", what, i, want[i])
					}
				}
				if f.ContainsKeys(keys, hits); !slices.Equal(hits, want) {
					t.Errorf("%s: ContainsKeys differs", what)
				}
				if f.ContainsUint64s(values, hits); !slices.Equal(hits, want) {
					t.Errorf("%s: ContainsUint64s differs", what)
				}
				hashes := recorded.Hash.AppendHashes(nil, keys)
				found := len(f.AppendHits(nil, hashes))
				if all := is.Hash != recorded.Hash; (found == len(keys)) != all || f.ContainsHash(hashes[3999]) != (all || want[3999]) {
					t.Errorf("%s: %d of %d hashes found", what, found, len(keys))
				}
			}
		}
	}
	// What stores write in place of a filter.
	zeros := make([]byte, 6)
	for _, recorded := range append(rocksDB, contract.Linear, contract.Paired32) {
		f := contract.Must(simdbloom.OpenNamed(recorded.Family+recorded.Hash.Name(), zeros, recorded.Hash))
		if !f.Contains(keys[0]) || f.Format() != simdbloom.Reserved || f.CopyAligned().Name() != f.Name() || f.EstimatedFPR() != 1 {
			t.Errorf("zeros under %s: %v, or not every key", f.Name(), f.Format())
		}
	}
}
