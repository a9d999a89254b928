package bitsandblooms_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"
	"github.com/simdbloom/simdbloom/bitsandblooms"
)

var filters = flag.Int("filters", 500, "the number of the original's filters that are compared")

// TestOriginalsFilters compares every answer about filters that the original wrote.
func TestOriginalsFilters(t *testing.T) {
	answers, contained := 0, 0
	var many []*bitsandblooms.Filter
	var originals []*bloom.BloomFilter
	for i := range *filters {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		original, keys := random(r)
		if i%3 == 0 {
			bitset.LittleEndian()
		}
		data := stored(t, original)
		bitset.BigEndian()
		f := open(t, data)
		if f.M() != uint64(original.Cap()) || f.K() != int(original.K()) || f.SizeBytes() != len(data) {
			t.Fatalf("filter %d: m %d, k %d, %d bytes, want %d, %d, %d", i, f.M(), f.K(), f.SizeBytes(), original.Cap(), original.K(), len(data))
		}
		hits := make([]bool, len(keys))
		f.ContainsKeys(keys, hits)
		for at, key := range keys {
			want := original.Test(key)
			if hits[at] != want || f.Contains(key) != want || bitsandblooms.MayContain(data, key) != want {
				t.Fatalf("filter %d, m %d, k %d, key %x: not %v", i, f.M(), f.K(), key, want)
			}
			answers++
			if want {
				contained++
			}
		}
		// The original's number is an integer, which infinity is not.
		if got, want := f.EstimatedKeys(), float64(original.ApproximatedSize()); !math.IsInf(got, 1) && math.Abs(got-want) > 0.5001 {
			t.Fatalf("filter %d: %v keys, want %v", i, got, want)
		}
		if many, originals = append(many, f), append(originals, original); len(many) == 100 {
			for _, key := range keys[:min(10, len(keys))] {
				got := bitsandblooms.AppendFilters(nil, many, bitsandblooms.Sum(key))
				for at, original := range originals {
					if original.Test(key) {
						if len(got) == 0 || got[0] != at {
							t.Fatalf("filters up to %d, key %x: %d is not found", i, key, at)
						}
						got = got[1:]
					}
				}
				if len(got) != 0 {
					t.Fatalf("filters up to %d, key %x: %d are found", i, key, got)
				}
			}
			many, originals = many[:0], originals[:0]
		}
	}
	t.Logf("%d filters, %d answers, %d of them yes", *filters, answers, contained)
}

// random returns a filter of any size and number of probes with up to 1,000 keys of any length, and keys to look
// up: those, and as many others.
func random(r *rand.Rand) (f *bloom.BloomFilter, keys [][]byte) {
	m, k := uint(1+r.Uint64()>>(41+r.IntN(23))), uint(1+r.IntN(24))
	n := r.IntN(1000 >> r.IntN(10))
	switch r.IntN(8) {
	case 0:
		f = bloom.NewWithEstimates(uint(1+n), math.Pow(10, -6*r.Float64()))
	case 1: // a bitset that has another length than m
		f = bloom.FromWithM(make([]uint64, 1+r.IntN(100)), m, k)
	case 2: // without bits at first
		f = bloom.New(0, k)
	default:
		f = bloom.New(m, k)
	}
	for i := range 2 * n {
		key := make([]byte, r.IntN(40))
		for i := range key {
			key[i] = byte(r.Uint32())
		}
		if keys = append(keys, key); i < n {
			f.Add(key)
		}
	}
	return f, keys
}

// TestWriting compares the bytes of filters with those that the original writes.
func TestWriting(t *testing.T) {
	for i := range *filters {
		r := rand.New(rand.NewPCG(2, uint64(i)))
		n, rate := 1+r.IntN(1000), math.Pow(10, -8*r.Float64())
		original := bloom.NewWithEstimates(uint(n), rate)
		f, err := bitsandblooms.NewForRate(uint64(n), rate)
		if err != nil {
			t.Fatal(err)
		}
		for range r.IntN(100) {
			key := fmt.Appendf(nil, "%x", r.Uint64()>>r.IntN(64))
			original.Add(key)
			f.Add(key)
		}
		if data := stored(t, original); !bytes.Equal(f.Bytes(), data) {
			t.Fatalf("filter %d: %x, want %x", i, f.Bytes(), data)
		}
	}
}

// TestDamagedFilters compares what both accept of bytes that were cut or changed, and the answers.
func TestDamagedFilters(t *testing.T) {
	accepted := 0
	for i := range *filters {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		f, keys := random(r)
		whole := stored(t, f)
		for range 4 {
			data := bytes.Clone(whole)
			if r.IntN(2) == 0 {
				data = data[:r.IntN(len(data)+1)]
			}
			for range r.IntN(3) {
				if len(data) > 0 {
					data[r.IntN(min(len(data), 30))] ^= 1 << r.IntN(8)
				}
			}
			got, err := bitsandblooms.Open(data)
			want := read(data)
			if err == nil && want == nil {
				t.Fatalf("%x: opened, but the original refuses it", data)
			}
			if err != nil {
				continue // the reasons are in the package's own tests
			}
			accepted++
			for _, key := range keys[:min(5, len(keys))] {
				if contains := want.Test(key); got.Contains(key) != contains {
					t.Fatalf("%x, key %x: not %v", data, key, contains)
				}
			}
		}
	}
	if accepted < *filters {
		t.Errorf("only %d were accepted", accepted)
	}
}

// read returns the original's filter in either byte order, or nil.
func read(data []byte) *bloom.BloomFilter {
	defer bitset.BigEndian()
	for _, set := range []func(){bitset.BigEndian, bitset.LittleEndian} {
		set()
		var f bloom.BloomFilter
		if small(data) && f.UnmarshalBinary(data) == nil {
			return &f
		}
	}
	return nil
}

// small reports whether the bitset fits the bytes. If it does not, the original allocates it before it finds out.
func small(data []byte) bool {
	if len(data) < 24 {
		return true
	}
	return bitset.BinaryOrder().Uint64(data[16:]) <= 8*uint64(len(data))
}

// stored returns the bytes that the original writes.
func stored(t testing.TB, f *bloom.BloomFilter) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := f.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(t testing.TB, data []byte) *bitsandblooms.Filter {
	t.Helper()
	f, err := bitsandblooms.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
