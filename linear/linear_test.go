package linear_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/linear"
)

func TestContract(t *testing.T) { contract.Test(t, contract.Linear) }

func TestArguments(t *testing.T) { contract.TestArguments(t, contract.Linear) }

func TestFigures(t *testing.T) { contract.TestFigures(t, contract.Linear) }

func TestBytesAndAnswersOfTheVectors(t *testing.T) {
	for _, v := range vectors.LinearFilters() {
		name := fmt.Sprintf("%s, n=%d, %v bits/key", v.Kind, v.N, v.BitsPerKey)
		data := contract.Linear.Build(t, v.BitsPerKey, v.Hashes(), simdbloom.WithVerification())
		if sum := sha256.Sum256(data); len(data) != v.Len || !bytes.Equal(sum[:], v.SHA256) || v.Bytes != nil && !bytes.Equal(data, v.Bytes) {
			t.Errorf("%s: other bytes", name)
			continue
		}
		if !bytes.Equal(contract.Linear.Build(t, v.BitsPerKey, v.Hashes(), simdbloom.WithConcurrency(3)), data) {
			t.Errorf("%s: other bytes by three goroutines", name)
		}
		f := contract.Linear.Opened(t, data)
		if bits := geometry.FingerprintBits(f); v.Layers > 0 && bits != v.R || len(geometry.Layers(f)) != v.Layers {
			t.Errorf("%s: fingerprints of %d bits, layers %d, want %d, and %d layers", name, bits, geometry.Layers(f), v.R, v.Layers)
		}
		if n := len(f.AppendHits(nil, v.Hashes())); n != v.N {
			t.Errorf("%s: %d of %d found", name, n, v.N)
		}
		hits := f.AppendHits(nil, v.Absent())
		if len(hits) != v.HitCount || !slices.Equal(hits[:min(64, len(hits))], v.Hits) {
			t.Errorf("%s: %d of %d absent hashes may be present, want %d", name, len(hits), v.Asked, v.HitCount)
		}
		for _, hash := range v.Absent()[:min(100, v.Asked)] {
			if linear.MayContainHash(data, hash) != f.ContainsHash(hash) {
				t.Errorf("%s: hash %#x: MayContainHash differs", name, hash)
			}
		}
	}
}
