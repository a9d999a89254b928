package simdbloom_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// emptyOf returns a Mutable of the given number of blocks, of FastLocal and Blobloom with six probes.
func emptyOf(f contract.Format, blocks int) *simdbloom.Mutable {
	data := f.Framed(make([]byte, blocks*f.UnitBytes))
	return contract.Must(simdbloom.OpenMutable(f.Format, data, keyhash.XX64))
}

// TestFolded: a folded filter is, bit for bit, the one that is built with its number of blocks, and keys can be added
// to it.
func TestFolded(t *testing.T) {
	hashes := vectors.Hashes(60, 5000)
	for _, f := range contract.Adders() {
		for _, blocks := range []int{1, 2, 6, 12, 1000, 1024} {
			for times := range 12 {
				m, same := emptyOf(f, blocks), &simdbloom.Mutable{}
				m.AddHashes(hashes[:3000])
				capacity, before := m.Capacity(), bytes.Clone(m.Bytes())
				err := m.Fold(times)
				if fits := blocks%(1<<times) == 0; fits != (err == nil) {
					t.Fatalf("%s, %d blocks, %d times: %v", f.Name, blocks, times, err)
				}
				if err != nil {
					if !bytes.Equal(m.Bytes(), before) || m.Capacity() != capacity {
						t.Fatalf("%s, %d blocks, %d times: the filter changed", f.Name, blocks, times)
					}
					continue
				}
				same = emptyOf(f, blocks>>times)
				same.AddHashes(hashes[:3000])
				for _, more := range [][]uint64{nil, hashes[3000:]} {
					m.AddHashes(more)
					same.AddHashes(more)
					if !bytes.Equal(m.Bytes(), same.Bytes()) || !bytes.Equal(m.Clone().Bytes(), same.Bytes()) || m.NumProbes() != same.NumProbes() {
						t.Fatalf("%s, %d blocks, %d times: other bytes than of %d blocks", f.Name, blocks, times, blocks>>times)
					}
				}
				if len(m.AppendHits(nil, hashes)) != len(hashes) || m.EstimatedFPR() != same.EstimatedFPR() || m.EstimatedKeys() != same.EstimatedKeys() || m.Capacity() != capacity>>times {
					t.Fatalf("%s, %d blocks, %d times: keys are missing, or other estimates", f.Name, blocks, times)
				}
			}
		}
	}
	m := emptyOf(contract.SplitBlock, 2)
	m.AddHashes(hashes[:1])
	if want := naive.SplitBlockFolded(m.Bytes()); m.Fold(1) != nil || !bytes.Equal(m.Bytes(), want) {
		t.Error("other bytes than naive's")
	}
	if m.Fold(-1) == nil || new(simdbloom.Mutable).Fold(1) == nil || new(simdbloom.Mutable).Fold(0) != nil {
		t.Error("no error where nothing can be folded, or one for folding it no times")
	}
}

// TestFoldedToARate ends at the last size whose rate is low enough.
func TestFoldedToARate(t *testing.T) {
	hashes := vectors.Hashes(61, 20_000)
	for _, f := range contract.Adders() {
		for _, fpr := range []float64{0, 1e-6, 0.001, 0.01, 0.3, 1, math.NaN()} {
			for _, blocks := range []int{3 << 10, 1 << 14, 1 << 16} {
				m := emptyOf(f, blocks)
				m.AddHashes(hashes)
				want, rates := 0, []float64{m.EstimatedFPR()}
				for c := m.Clone(); c.Fold(1) == nil; {
					rates = append(rates, c.EstimatedFPR())
					if c.EstimatedFPR() <= fpr {
						want = len(rates) - 1
					}
				}
				if !slices.IsSorted(rates) {
					t.Fatalf("rates %v", rates)
				}
				if got := m.FoldTo(fpr); got != want || math.Abs(m.EstimatedFPR()-rates[want]) > 1e-12 || m.SizeBytes() != len(f.Framed(make([]byte, blocks>>want*f.UnitBytes))) {
					t.Errorf("%s, %d blocks, rate %v: %d times, rate %v; want %d, %v", f.Name, blocks, fpr, got, m.EstimatedFPR(), want, rates[want])
				}
			}
		}
	}
	if new(simdbloom.Mutable).FoldTo(1) != 0 {
		t.Error("the zero Mutable was folded")
	}
}

// TestFoldToOfUnevenPieces: the rate after folding is that of all blocks, also where the last ones that are counted
// together are fewer, and have most of the keys.
func TestFoldToOfUnevenPieces(t *testing.T) {
	for _, f := range contract.Adders() {
		for _, blocks := range []int{2, 258, 514, 1000} {
			body := make([]byte, blocks*f.UnitBytes)
			for i := range 2 * f.UnitBytes {
				body[len(body)-1-i] = 0x55
			}
			open := func() *simdbloom.Mutable {
				return contract.Must(simdbloom.OpenMutable(f.Format, f.Framed(bytes.Clone(body)), keyhash.XX64))
			}
			folded := open()
			if err := folded.Fold(1); err != nil {
				t.Fatal(err)
			}
			rate := folded.EstimatedFPR()
			if m := open(); m.FoldTo(rate*0.999) != 0 {
				t.Errorf("%s, %d blocks: folded although the rate becomes %v", f.Name, blocks, rate)
			}
			if m := open(); m.FoldTo(rate*1.001) == 0 {
				t.Errorf("%s, %d blocks: not folded although the rate becomes %v", f.Name, blocks, rate)
			}
		}
	}
}

// TestCopiedFilter: a copy by value, of a filter or of its embedded Filter, contains every key of it, also after it was
// folded or replaced, and keys were added. So does the filter of which a copy was folded.
func TestCopiedFilter(t *testing.T) {
	hashes := vectors.Hashes(62, 3000)
	for _, f := range contract.Adders() {
		other := emptyOf(f, 32)
		other.AddHashes(hashes[2000:])
		stored := contract.Must(other.MarshalBinary())
		for name, change := range map[string]func(m *simdbloom.Mutable) error{
			"Fold":            func(m *simdbloom.Mutable) error { return m.Fold(3) },
			"FoldTo":          func(m *simdbloom.Mutable) error { m.FoldTo(1); return nil },
			"UnmarshalBinary": func(m *simdbloom.Mutable) error { return m.UnmarshalBinary(stored) },
			"ReadFrom":        func(m *simdbloom.Mutable) error { _, err := m.ReadFrom(bytes.NewReader(stored)); return err },
			"Union":           func(m *simdbloom.Mutable) error { return m.Union(m.Clone()) },
		} {
			m := emptyOf(f, 1024)
			copied := m.Filter
			m.AddHashes(hashes[:1000])
			again := m.Filter
			if err := change(m); err != nil {
				t.Fatal(err)
			}
			m.AddHashes(hashes)
			for i, c := range []*simdbloom.Filter{&copied, &again} {
				if n := len(c.AppendHits(nil, hashes)); n != len(hashes) {
					t.Errorf("%s, %s, copy %d: %d of %d keys", f.Name, name, i, n, len(hashes))
				}
			}
		}
		m := emptyOf(f, 1024)
		m.AddHashes(hashes)
		c := reflect.New(reflect.TypeOf(m).Elem()) // a copy that vet does not see
		c.Elem().Set(reflect.ValueOf(m).Elem())
		c.Interface().(*simdbloom.Mutable).FoldTo(1)
		if n := len(m.AppendHits(nil, hashes)); n != len(hashes) {
			t.Errorf("%s: a copy was folded, and %d of %d keys are left", f.Name, n, len(hashes))
		}
	}
}
