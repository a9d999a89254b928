package linear_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/linear"
)

func TestContract(t *testing.T) { contract.Test(t, contract.Linear) }

func TestBytesAndAnswersOfTheVectors(t *testing.T) {
	for _, v := range vectors.LinearFilters() {
		name := fmt.Sprintf("%s, n=%d, %v bits/key", v.Kind, v.N, v.BitsPerKey)
		data := contract.Linear.Build(t, v.BitsPerKey, v.Hashes())
		if sum := sha256.Sum256(data); len(data) != v.Len || !bytes.Equal(sum[:], v.SHA256) || v.Bytes != nil && !bytes.Equal(data, v.Bytes) {
			t.Errorf("%s: other bytes", name)
			continue
		}
		f := contract.Linear.Opened(t, data)
		if linear.FingerprintBits(f) != v.R {
			t.Errorf("%s: fingerprints of %d bits, want %d", name, linear.FingerprintBits(f), v.R)
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
