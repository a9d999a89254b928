package naive_test

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestLinear compares the naive reading of package linear's format with what another
// program wrote.
func TestLinear(t *testing.T) {
	most := 1000 // keys
	if testing.Short() {
		most = 300
	}
	for _, want := range vectors.LinearFilters() {
		if want.N > most {
			continue // package fallback's tests have those: here they would take long
		}
		f := naive.Linear(want.Hashes(), want.Millibits())
		data := f.Bytes()
		sum := sha256.Sum256(data)
		if len(data) != want.Len || !bytes.Equal(sum[:], want.SHA256) {
			t.Errorf("%s, n=%d, %v bits/key: other bytes (%d, want %d)", want.Kind, want.N, want.BitsPerKey, len(data), want.Len)
			continue
		}
		if want.Bytes != nil && !bytes.Equal(data, want.Bytes) {
			t.Errorf("%s, n=%d: the file's own bytes and checksum disagree", want.Kind, want.N)
		}
		if f.R != want.R || f.J != want.J || len(f.Multipliers) != want.Layers {
			t.Errorf("%s, n=%d: R=%d, j=%d, %d layers", want.Kind, want.N, f.R, f.J, len(f.Multipliers))
		}
		for _, hash := range want.Hashes() {
			if !f.Contains(hash) {
				t.Fatalf("%s, n=%d: hash %#x was added", want.Kind, want.N, hash)
			}
		}
		hits := []int{}
		for i, hash := range want.Absent() {
			if f.Contains(hash) {
				hits = append(hits, i)
			}
		}
		if len(hits) != want.HitCount || !slices.Equal(hits[:min(64, len(hits))], want.Hits) {
			t.Errorf("%s, n=%d: %d of %d absent hashes may be present, want %d", want.Kind, want.N, len(hits), want.Asked, want.HitCount)
		}
	}
}
