package legacy_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

func TestContract(t *testing.T) { contract.Test(t, contract.Legacy) }

func TestArguments(t *testing.T) { contract.TestArguments(t, contract.Legacy) }

func TestFigures(t *testing.T) { contract.TestFigures(t, contract.Legacy) }

// build returns the filter of keys.
func build(t testing.TB, bitsPerKey float64, keys [][]byte, options ...simdbloom.Option) []byte {
	t.Helper()
	b := contract.Legacy.Builder(t, bitsPerKey, options...)
	b.AddKeys(keys)
	return contract.Legacy.Finish(t, b)
}

func open(t testing.TB, data []byte) *simdbloom.Filter { return contract.Legacy.Opened(t, data) }

// TestVectors has filters of RocksDB's and Pebble's own builders.
func TestVectors(t *testing.T) {
	absent := make(map[string][]uint64) // by their encoding
	absent[""] = vectors.Hashes(vectors.NegativeSeed, vectors.Negatives)
	for name, all := range map[string][]vectors.Narrow{
		"raw": vectors.LegacyRaw(), "keys": vectors.LegacyKeys(), "Pebble": vectors.PebbleKeys(),
	} {
		for _, v := range all {
			if v.N > 100_000 && testing.Short() {
				continue
			}
			var options []simdbloom.Option
			if name == "Pebble" {
				options = append(options, legacy.WithPebble())
			}
			b := contract.Legacy.Builder(t, v.BitsPerKey, options...)
			if v.Keys == "" {
				b.AddHashes(vectors.Hashes(v.Seed, v.N)) // of which the low halves count
			} else {
				b.AddKeys(vectors.Keys(v.Keys, 0, v.N))
			}
			if absent[v.Keys] == nil {
				keys := vectors.Keys(v.Keys, vectors.FirstNegativeKey, vectors.FirstNegativeKey+vectors.Negatives)
				absent[v.Keys] = keyhash.RocksDB32.AppendHashes(nil, keys)
			}
			data, hits := contract.Legacy.Finish(t, b), make([]bool, vectors.Negatives)
			open(t, data).ContainsHashes(absent[v.Keys], hits)
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
	hashes := vectors.Hashes(vectors.NegativeSeed, 256)
	for i, v := range vectors.LegacyReader() {
		data, hits := v.Data(), make([]bool, len(hashes))
		f, err := legacy.Open(data, keyhash.Hash{})
		if err == nil {
			f.ContainsHashes(hashes, hits)
			if err := v.CheckAnswers(hits); err != nil {
				t.Errorf("vector %d, %d bytes, %s %x: %v", i, v.BodyLen, v.BodyFill, v.Trailer, err)
			}
		} else if !errors.Is(err, simdbloom.ErrCorrupt) || v.Ones != 0 || len(data) > 5 {
			t.Errorf("vector %d, %d bytes: %v", i, len(data), err)
		}
		for j, hash := range hashes {
			if want := hits[j] || err != nil; legacy.MayContainHash(data, hash) != want || f != nil && f.ContainsHash(hash) != want {
				t.Fatalf("vector %d, hash %#x: not %v one by one", i, hash, want)
			}
		}
	}
}

// TestKeys compares the lookups of keys, short ones too, with the naive reader, at 1 to 30 probes.
func TestKeys(t *testing.T) {
	var short [][]byte
	for n := range 20 { // at the edges of the hash's words
		for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			short = append(short, bytes.Repeat([]byte{b}, n))
		}
	}
	added := slices.Concat(short, vectors.Keys("bin", 0, 3000)) // whose hashes have signs
	queried := slices.Concat(added, vectors.Keys("bin", vectors.FirstNegativeKey, vectors.FirstNegativeKey+3000))
	for _, bitsPerKey := range []float64{1, 3, 10, 16, 23, 50} {
		data := build(t, bitsPerKey, added)
		f, hits := open(t, data), make([]bool, len(queried))
		f.ContainsKeys(queried, hits)
		for i, key := range queried {
			want := naive.LegacyReads(data, naive.LevelDBHash(key, true))
			if hits[i] != want || i < len(added) && !want || f.Contains(key) != want || f.ContainsString(string(key)) != want || legacy.MayContain(data, key) != want {
				t.Fatalf("%v bits/key, key %x: not %v", bitsPerKey, key, want)
			}
		}
		if int(geometry.Of(f).Lines) != len(data)/64 || f.NumProbes() != int(data[len(data)-5]) {
			t.Errorf("%v bits/key: %d lines, %d probes", bitsPerKey, int(geometry.Of(f).Lines), f.NumProbes())
		}
	}
}
