package legacy_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/legacy"
)

func builder(t testing.TB, bitsPerKey float64, options ...legacy.Option) *legacy.Builder {
	t.Helper()
	b, err := legacy.NewBuilder(bitsPerKey, options...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func finish(t testing.TB, b *legacy.Builder) []byte {
	t.Helper()
	size := b.SizeBytes()
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) != size || b.Len() != 0 {
		t.Fatalf("SizeBytes was %d, Finish gave %d bytes, and %d keys are left", size, len(data), b.Len())
	}
	return data
}

func open(t testing.TB, data []byte) *legacy.Filter {
	t.Helper()
	f, err := legacy.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestVectors has filters of RocksDB's and Pebble's own builders.
func TestVectors(t *testing.T) {
	absent := make(map[string][][]byte) // by their encoding
	for name, all := range map[string][]vectors.Narrow{
		"raw": vectors.LegacyRaw(), "keys": vectors.LegacyKeys(), "Pebble": vectors.PebbleKeys(),
	} {
		for _, v := range all {
			if v.N > 100_000 && testing.Short() {
				continue
			}
			var options []legacy.Option
			if name == "Pebble" {
				options = append(options, legacy.WithPebble())
			}
			b := builder(t, v.BitsPerKey, options...)
			var f *legacy.Filter
			var data []byte
			var hits []bool
			if v.Keys == "" {
				b.AddHashes(vectors.Narrowed(vectors.Hashes(v.Seed, v.N)))
				data = finish(t, b)
				f = open(t, data)
				negatives := vectors.Narrowed(vectors.Hashes(vectors.NegativeSeed, vectors.Negatives))
				hits = make([]bool, len(negatives))
				f.ContainsHashes(negatives, hits)
			} else {
				b.AddKeys(vectors.Keys(v.Keys, 0, v.N))
				data = finish(t, b)
				f = open(t, data)
				if absent[v.Keys] == nil {
					absent[v.Keys] = vectors.Keys(v.Keys, vectors.FirstNegativeKey, vectors.FirstNegativeKey+vectors.Negatives)
				}
				hits = make([]bool, vectors.Negatives)
				f.ContainsKeys(absent[v.Keys], hits)
			}
			name := fmt.Sprintf("%s %s, %d keys, %v bits/key", name, v.Keys, v.N, v.BitsPerKey)
			if sum := sha256.Sum256(data); !bytes.Equal(sum[:], v.SHA256) || len(data) != v.TotalLen {
				t.Errorf("%s: other bytes, %d for %d", name, len(data), v.TotalLen)
			}
			if err := v.CheckAnswers(hits); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestSizesOfVectors(t *testing.T) {
	for _, v := range vectors.LegacySpaces() {
		for _, row := range v.Rows {
			n, want := row[0], row[1]
			if got := legacy.SizeOf(v.BitsPerKey, int(n)); n <= math.MaxInt32 && got != want {
				t.Errorf("%v bits/key, %d keys: %d bytes, not %d", v.BitsPerKey, n, got, want)
			}
		}
	}
}

// TestReaderVectors has RocksDB's answers for any trailers. For truncated filters it says no;
// they are an error here, and may contain every key.
func TestReaderVectors(t *testing.T) {
	hashes := vectors.Narrowed(vectors.Hashes(vectors.NegativeSeed, 256))
	for i, v := range vectors.LegacyReader() {
		data, hits := v.Data(), make([]bool, len(hashes))
		f, err := legacy.Open(data)
		if err != nil {
			if !errors.Is(err, legacy.ErrCorrupt) || v.Ones != 0 || len(data) > 5 {
				t.Errorf("vector %d, %d bytes: %v", i, len(data), err)
			}
			for _, hash := range hashes {
				if !legacy.MayContainHash(data, hash) {
					t.Errorf("vector %d: corrupt, and does not contain %#x", i, hash)
				}
			}
			continue
		}
		f.ContainsHashes(hashes, hits)
		if err := v.CheckAnswers(hits); err != nil {
			t.Errorf("vector %d, %d bytes, %s %x: %v", i, v.BodyLen, v.BodyFill, v.Trailer, err)
		}
		for i, hash := range hashes {
			if f.ContainsHash(hash) != hits[i] || legacy.MayContainHash(data, hash) != hits[i] {
				t.Fatalf("vector %d, hash %#x: not %v one by one", i, hash, hits[i])
			}
		}
	}
}
