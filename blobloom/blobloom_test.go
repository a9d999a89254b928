package blobloom_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

func TestContract(t *testing.T) { contract.Test(t, contract.Blobloom) }

func TestArguments(t *testing.T) { contract.TestArguments(t, contract.Blobloom) }

func TestFigures(t *testing.T) { contract.TestFigures(t, contract.Blobloom) }

// TestTheModulesBytes builds what the module wrote, by filters that accept keys, and reads it.
func TestTheModulesBytes(t *testing.T) {
	v := vectors.Blobloom08()
	for _, one := range v.OneKey {
		m := contract.Must(blobloom.New(512, one.K, keyhash.XX64))
		m.AddHash(uint64(one.Hash))
		if !bytes.Equal(m.Bytes()[64:], one.Bytes) || !bytes.Equal(naive.Blobloom(1, one.K, []uint64{uint64(one.Hash)}), one.Bytes) {
			t.Errorf("k=%d, hash %x: %x, want %x", one.K, one.Hash, m.Bytes()[64:], one.Bytes)
		}
		f := contract.Must(blobloom.OpenBlocks(one.Bytes, one.K, keyhash.XX64))
		if !f.ContainsHash(uint64(one.Hash)) || !bytes.Equal(f.Bytes(), append(contract.BlobloomHeader(1, uint32(one.K)), one.Bytes...)) || f.NumProbes() != min(one.K-1, 1024) {
			t.Errorf("k=%d, hash %x: missing, or other bytes or probes", one.K, one.Hash)
		}
	}
	for _, whole := range v.Whole {
		hashes := vectors.Hashes(uint64(whole.Z), whole.N)
		m := contract.Must(blobloom.New(512*uint64(whole.Z)-3, whole.K, keyhash.XX64))
		m.AddHashes(hashes)
		data := bytes.Clone(m.Bytes())
		copy(data[20:], whole.Comment)
		if got := xxhash.Sum64(data); got != uint64(whole.XXH64) {
			t.Errorf("%d blocks, k=%d: XXH64 %#x, want %#x", whole.Z, whole.K, got, whole.XXH64)
		}
		if f := contract.Blobloom.Opened(t, data); len(f.AppendHits(nil, hashes)) != len(hashes) || !bytes.Equal(f.Bytes(), data) {
			t.Errorf("%d blocks, k=%d: keys are missing, or other bytes", whole.Z, whole.K)
		}
	}
}

// TestBuilderIsTheModule has sizes that are no powers of two. (Package buildtest has filters whose hashes are put into
// lists.)
func TestBuilderIsTheModule(t *testing.T) {
	for _, n := range []int{1, 52, 53, 1000, 54_321} {
		hashes := vectors.Hashes(uint64(n), n)
		for _, concurrency := range []int{1, 3} {
			data := contract.Blobloom.Build(t, 9.7, hashes, simdbloom.WithConcurrency(concurrency), simdbloom.WithVerification())
			blocks := len(data)/64 - 1
			if most := 97*n/10/8 + 1 + 63; 64*blocks > most || !bytes.Equal(data[64:], naive.Blobloom(blocks, 7, hashes)) ||
				!bytes.Equal(data[:64], contract.BlobloomHeader(uint64(blocks), 7)) {
				t.Errorf("%d keys: %d bytes, or others", n, len(data))
			}
		}
	}
}

// TestNew has the module's rounding.
func TestNew(t *testing.T) {
	for _, c := range []struct {
		bits uint64
		k    int
		want []byte
	}{
		{0, 0, contract.BlobloomHeader(1, 2)},
		{1, 1, contract.BlobloomHeader(1, 2)},
		{512, -5, contract.BlobloomHeader(1, 2)},
		{513, 8, contract.BlobloomHeader(2, 8)},
		{1 << 15, 1025, contract.BlobloomHeader(64, 1025)},
		{1 << 15, 1026, contract.BlobloomHeader(64, 1026)},
		{1 << 15, 100_000, contract.BlobloomHeader(64, 100_000)},
	} {
		m, err := blobloom.New(c.bits, c.k, keyhash.XX64)
		if err != nil || !bytes.Equal(m.Bytes()[:64], c.want) {
			t.Errorf("%d bits, k=%d: %v", c.bits, c.k, err)
		}
		if !bytes.Equal(m.Clone().Bytes()[:64], c.want) {
			t.Errorf("%d bits, k=%d: a copy has another header", c.bits, c.k)
		}
	}
	m := contract.Must(blobloom.New(1024, 5000, keyhash.XX64))
	if m.FoldTo(1) != 1 || !bytes.Equal(m.Bytes()[:64], contract.BlobloomHeader(1, 5000)) {
		t.Error("folded, the header has another k")
	}
	for _, bits := range []uint64{8 * (1<<32 - 63), 1 << 50, math.MaxUint64} {
		if _, err := blobloom.New(bits, 8, keyhash.XX64); !errors.Is(err, simdbloom.ErrTooLarge) {
			t.Errorf("%d bits: %v", bits, err)
		}
	}
	if _, err := blobloom.New(512, 8, keyhash.Hash{}); err == nil {
		t.Error("the zero Hash is no error")
	}
}

// TestOpenBlocks: the filter is a copy of the blocks, and its bytes are a dump.
func TestOpenBlocks(t *testing.T) {
	hashes := vectors.Hashes(38, 2000)
	blocks := naive.Blobloom(33, 8, hashes[:1000])
	f := contract.Must(blobloom.OpenBlocks(blocks, 8, keyhash.XX64))
	dump := append(contract.BlobloomHeader(33, 8), blocks...)
	if f.Format() != simdbloom.Blobloom || f.NumProbes() != 7 || f.SizeBytes() != len(dump) || !bytes.Equal(f.Bytes(), dump) || f.Name() != "simdbloom.Blobloom.XX64" {
		t.Errorf("%v, %d probes, %d bytes, name %s", f.Format(), f.NumProbes(), f.SizeBytes(), f.Name())
	}
	opened := contract.Blobloom.Opened(t, dump)
	var stored simdbloom.Filter
	if err := stored.UnmarshalBinary(contract.Must(f.MarshalBinary())); err != nil {
		t.Fatal(err)
	}
	for _, same := range []*simdbloom.Filter{opened, &stored, f.CopyAligned()} {
		if !bytes.Equal(same.Bytes(), dump) || same.EstimatedFPR() != f.EstimatedFPR() {
			t.Error("other bytes, or another rate")
		}
		for _, hash := range hashes {
			if same.ContainsHash(hash) != f.ContainsHash(hash) {
				t.Fatalf("hash %#x: other answers", hash)
			}
		}
	}
	clear(blocks)
	if !f.ContainsHash(hashes[0]) {
		t.Error("the filter is no copy of its blocks")
	}
	for _, n := range []int{0, 1, 63, 65, 127} {
		if _, err := blobloom.OpenBlocks(make([]byte, n), 8, keyhash.XX64); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for _, k := range []int{math.MinInt, -1, 0, 1} {
		if f := contract.Must(blobloom.OpenBlocks(make([]byte, 64), k, keyhash.XX64)); f.NumProbes() != 1 {
			t.Errorf("k=%d: %d probes", k, f.NumProbes())
		}
	}
	if _, err := blobloom.OpenBlocks(make([]byte, 64), 8, keyhash.Hash{}); err == nil || errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("the zero Hash: %v", err)
	}
}

// TestRates has the rates of 200,000 keys that 20 to 400 million lookups measured.
func TestRates(t *testing.T) {
	for _, c := range []struct{ bpk, fpr float64 }{{6, 0.05779}, {10, 0.009844}, {16, 0.001}, {20, 0.0003109}, {30, 0.0000756}, {60, 0.00003297}} {
		if got := blobloom.PredictedFPR(200_000, c.bpk); math.Abs(got/c.fpr-1) > 0.02 {
			t.Errorf("%v bits/key: %v, want %v", c.bpk, got, c.fpr)
		}
	}
	for fpr, want := range map[float64]float64{0.01: 9.96, 0.001: 16.0} {
		if got := blobloom.BitsPerKeyFor(1_000_000, fpr); math.Abs(got-want) > 0.1 {
			t.Errorf("rate %v: %v bits/key, want %v", fpr, got, want)
		}
	}
	if got := blobloom.BitsPerKeyFor(1_000_000, 1e-6); !math.IsNaN(got) {
		t.Errorf("%v bits/key have a rate of 1 in a million", got)
	}
}
