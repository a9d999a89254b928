package ribbon_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

func TestContract(t *testing.T) { contract.Test(t, contract.Ribbon) }

func TestArguments(t *testing.T) { contract.TestArguments(t, contract.Ribbon) }

func TestFigures(t *testing.T) { contract.TestFigures(t, contract.Ribbon) }

// xxph3 has RocksDB's key hash.
var xxph3 = contract.Ribbon.With(keyhash.XXPH3)

var formats = map[string]simdbloom.Format{"ribbon": simdbloom.Ribbon, "fastlocal": simdbloom.FastLocal, "empty": simdbloom.Empty}

func TestBytesAndAnswersAreRocksDBs(t *testing.T) {
	absent := vectors.Hashes(vectors.NegativeSeed, vectors.Negatives)
	for _, v := range vectors.RibbonRaw() {
		if testing.Short() && v.N > 50_000 {
			continue
		}
		b := xxph3.Builder(t, v.BitsPerKey, simdbloom.WithVerification())
		b.AddHashes(v.Hashes())
		checkVector(t, v, b, absent)
	}
	for _, v := range vectors.RibbonKeys() {
		b := xxph3.Builder(t, v.BitsPerKey)
		b.AddKeys(vectors.Keys(v.Keys, 0, v.N))
		absent := vectors.Keys(v.Keys, vectors.FirstNegativeKey, vectors.FirstNegativeKey+vectors.Negatives)
		checkVector(t, v, b, keyhash.XXPH3.AppendHashes(nil, absent))
	}
}

// checkVector compares a builder's filter with RocksDB's.
func checkVector(t *testing.T, v vectors.Ribbon, b *simdbloom.Builder, absent []uint64) {
	t.Helper()
	name := fmt.Sprintf("%d keys (%s%s) at %v bits/key", v.N, v.Set, v.Keys, v.BitsPerKey)
	size, gaveUp := b.SizeBytes(), v.Set == "cluster:111803"
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], v.SHA256) || size != len(data) && !gaveUp {
		t.Errorf("%s: other bytes (%d of %d, SizeBytes was %d)", name, len(data), v.TotalLen, size)
		return
	}
	f := xxph3.Opened(t, data)
	if f.Format() != formats[v.Kind] || (f.NumProbes() > 0) != (v.Kind != "empty") {
		t.Errorf("%s: %s with %d probes", name, f.Format(), f.NumProbes())
	}
	hits := make([]bool, len(absent))
	f.ContainsHashes(absent, hits)
	if err := v.CheckAnswers(hits); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if v.Keys == "bin" {
		return // some of the absent keys are present: short keys repeat
	}
	if rate, measured := f.EstimatedFPR(), float64(v.FalsePositives)/vectors.Negatives; rate > 1.3*measured+2e-4 || rate < 0.7*measured-2e-4 {
		t.Errorf("%s: estimated rate %.3g, measured %.3g", name, rate, measured)
	}
}

// TestReaderIsRocksDBs has odd bytes. Those that Open refuses, RocksDB reads in its own way.
func TestReaderIsRocksDBs(t *testing.T) {
	hashes := vectors.Hashes(vectors.NegativeSeed, 256)
	for _, read := range vectors.RibbonReader() {
		data := read.Data()
		name := fmt.Sprintf("%d bytes of %s, trailer %x", read.BodyLen, read.BodyFill, read.Trailer)
		isRibbon := read.Trailer[0] == 0xfe
		f, err := ribbon.Open(data, keyhash.XXPH3)
		if corrupt := isRibbon && (read.BodyLen < 16 || read.BodyLen%16 != 0); corrupt != (err != nil) || corrupt && !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		hits := make([]bool, len(hashes))
		for i, hash := range hashes {
			hits[i] = ribbon.MayContainHash(data, hash)
			if f == nil && !hits[i] {
				t.Fatalf("%s: MayContainHash said no", name)
			}
			if f != nil && f.ContainsHash(hash) != hits[i] {
				t.Fatalf("%s: hash %#x: not %v", name, hash, hits[i])
			}
		}
		if f == nil {
			continue
		}
		if err := read.CheckAnswers(hits); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
