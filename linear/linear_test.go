package linear_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/policy"
)

// trailer returns what follows the lines of layers.
func trailer(r int, layers ...uint32) []byte {
	var data []byte
	for _, lines := range layers {
		data = binary.LittleEndian.AppendUint32(data, lines)
	}
	return append(data, byte(r), byte(len(layers)), 1, 0x80, 'L', 'L', 'F', '1')
}

// alwaysTrue is a line that no lookup ends at.
var alwaysTrue = append(append(make([]byte, 63), 63<<2), trailer(7, 1)...)

func TestContract(t *testing.T) {
	contract.Test(t, contract.Package{
		NewBuilder: func(bpk float64, hash keyhash.Hash) (policy.Builder, error) {
			return linear.NewBuilder(bpk, hash)
		},
		NewConcurrent: func(bpk float64, hash keyhash.Hash, n int) (policy.Builder, error) {
			return linear.NewBuilder(bpk, hash, linear.WithConcurrency(n), linear.WithVerification())
		},
		Open:           func(data []byte, hash keyhash.Hash) (contract.Filter, error) { return linear.Open(data, hash) },
		CopyAligned:    func(f contract.Filter) contract.Filter { return f.(*linear.Filter).CopyAligned() },
		MayContainHash: linear.MayContainHash,
		PredictedFPR:   linear.PredictedFPR,
		BitsPerKeyFor:  linear.BitsPerKeyFor,
		ErrCorrupt:     linear.ErrCorrupt,
		UnitBytes:      64,
		Trailer: func(body int) []byte {
			lines := uint32(body / 64)
			if lines < 4 {
				return trailer(7, lines)
			}
			return trailer(7, lines-lines/4, lines/4)
		},
		AlwaysTrue: alwaysTrue,
		Strict:     true,
		SizeIsMost: true,
		Unlimited:  true,
		Least:      10.5,
		Many: func(filters []contract.Filter) contract.Many {
			return contract.ManyOf(filters, linear.AppendFilters, linear.Candidates)
		},
	})
}

func builder(t testing.TB, bitsPerKey float64, options ...linear.Option) *linear.Builder {
	t.Helper()
	b, err := linear.NewBuilder(bitsPerKey, keyhash.XX64, options...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func build(t testing.TB, bitsPerKey float64, hashes []uint64, options ...linear.Option) []byte {
	t.Helper()
	b := builder(t, bitsPerKey, options...)
	b.AddHashes(hashes)
	most := b.SizeBytes()
	data, err := b.Finish()
	if err != nil || len(data) > most {
		t.Fatalf("%d bytes, %v; SizeBytes was %d", len(data), err, most)
	}
	return data
}

func open(t testing.TB, data []byte) *linear.Filter {
	t.Helper()
	f, err := linear.Open(data, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestBytesAndAnswersOfTheVectors(t *testing.T) {
	for _, v := range vectors.LinearFilters() {
		name := fmt.Sprintf("%s, n=%d, %v bits/key", v.Kind, v.N, v.BitsPerKey)
		data := build(t, v.BitsPerKey, v.Hashes())
		if sum := sha256.Sum256(data); len(data) != v.Len || !bytes.Equal(sum[:], v.SHA256) || v.Bytes != nil && !bytes.Equal(data, v.Bytes) {
			t.Errorf("%s: other bytes", name)
			continue
		}
		f := open(t, data)
		if f.FingerprintBits() != v.R {
			t.Errorf("%s: fingerprints of %d bits, want %d", name, f.FingerprintBits(), v.R)
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
