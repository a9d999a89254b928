package bitsandblooms_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

func open(t testing.TB, data []byte) *bitsandblooms.Filter {
	t.Helper()
	f, err := bitsandblooms.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestOriginalsBytes has what bits-and-blooms/bloom v3.7.1 wrote.
func TestOriginalsBytes(t *testing.T) {
	m, err := bitsandblooms.New(1000, 7)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		m.AddString(fmt.Sprint("key", i))
	}
	data := m.Bytes()
	if len(data) != 152 || xxhash.Sum64(data) != 0x6f5bccd5a410d91b {
		t.Errorf("%d bytes, %x", len(data), data)
	}
	f := open(t, data)
	if f.M() != 1000 || f.K() != 7 || f.SizeBytes() != 152 || &f.Bytes()[0] != &data[0] {
		t.Errorf("m %d, k %d, %d bytes", f.M(), f.K(), f.SizeBytes())
	}
	if keys := f.EstimatedKeys(); math.Abs(keys-100) > 5 {
		t.Errorf("%v keys", keys)
	}
}

// random returns a filter with random bits, three of four set, with any length of its bitset.
func random(r *rand.Rand) *naive.BitsAndBlooms {
	f := &naive.BitsAndBlooms{M: 1 + r.Uint64N(2000), K: r.Uint64N(20)}
	f.Length = f.M
	switch r.IntN(4) {
	case 0:
		f.Length = (f.M + 63) / 64 * 64
	case 1:
		f.Length = r.Uint64N(2500)
	}
	f.Words = make([]uint64, (f.Length+63)/64)
	for i := range f.Words {
		f.Words[i] = r.Uint64() | r.Uint64()
	}
	if beyond := f.Length % 64; beyond > 0 {
		f.Words[len(f.Words)-1] &= 1<<beyond - 1
	}
	return f
}

// TestLookups compares every lookup with a naive one, in filters of both byte orders, with bytes behind
// them.
func TestLookups(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	contained := 0
	for range 1000 {
		want := random(r)
		data := want.Append(nil, binary.BigEndian)
		if r.IntN(2) == 0 {
			data = want.Append(nil, binary.LittleEndian)
		}
		size := len(data)
		data = append(data, make([]byte, r.IntN(20))...)
		testmem.BesideGuards(t, data, func(data []byte) {
			f := open(t, data)
			if f.M() != want.M || f.K() != int(want.K) || f.SizeBytes() != size {
				t.Fatalf("m %d, k %d, %d bytes, want %d, %d, %d", f.M(), f.K(), f.SizeBytes(), want.M, want.K, size)
			}
			keys := make([][]byte, r.IntN(140))
			hashes := make([]bitsandblooms.Hash, len(keys))
			byKeys, byHashes := make([]bool, len(keys)), make([]bool, len(keys)+1)
			byHashes[len(keys)] = true
			for i := range keys {
				keys[i] = fmt.Appendf(nil, "%x", r.Uint64()>>r.IntN(64))
				hashes[i] = bitsandblooms.Sum(keys[i])
				byKeys[i], byHashes[i] = i%2 == 0, i%3 == 0 // from before
			}
			f.ContainsKeys(keys, byKeys)
			f.ContainsHashes(hashes, byHashes)
			for i, key := range keys {
				contains := want.Contains(naive.BitsAndBloomsHash(key))
				for j, got := range []bool{
					byKeys[i], byHashes[i], f.Contains(key), f.ContainsString(string(key)), f.ContainsHash(hashes[i]),
					bitsandblooms.MayContain(data, key), bitsandblooms.MayContainHash(data, hashes[i]),
				} {
					if got != contains {
						t.Fatalf("%+v, key %q: lookup %d is not %v", want, key, j, contains)
					}
				}
				if contains {
					contained++
				}
			}
			if !byHashes[len(keys)] {
				t.Fatal("an answer behind the last")
			}
			ones := 0
			for bit := range min(want.M, want.Length) {
				ones += int(want.Words[bit/64] >> (bit % 64) & 1)
			}
			if got, wanted := f.EstimatedFPR(), math.Pow(float64(ones)/float64(want.M), float64(want.K)); got != wanted {
				t.Fatalf("rate %v, want %v", got, wanted)
			}
			if got := f.EstimatedKeys(); !(got >= 0) {
				t.Fatalf("%v keys", got)
			}
		})
	}
	if contained < 5000 {
		t.Errorf("only %d keys were contained", contained)
	}
}

func TestAppendFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 200 {
		filters := make([]*bitsandblooms.Filter, n)
		for i := range filters {
			filters[i] = open(t, random(r).Append(nil, binary.BigEndian))
		}
		for key := range 10 {
			hash := bitsandblooms.SumString(fmt.Sprint(n, key))
			want := []int{-1}
			for i, f := range filters {
				if f.ContainsHash(hash) {
					want = append(want, i)
				}
			}
			if got := bitsandblooms.AppendFilters([]int{-1}, filters, hash); !slices.Equal(got, want) {
				t.Fatalf("%v, want %v", got, want)
			}
		}
	}
}

// header returns the bytes of a filter with any header, and zeros behind it.
func header(m, k, length uint64, size int) []byte {
	data := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, m), k)
	return append(binary.BigEndian.AppendUint64(data, length), make([]byte, size)...)
}

func TestCorruptBytes(t *testing.T) {
	stray := header(70, 3, 67, 16)
	stray[24+8] = 0xff
	stray[24+15] = 0xf8
	for _, c := range []struct {
		data []byte
		says string
	}{
		{nil, "0 bytes: too short for a header"},
		{make([]byte, 23), "23 bytes: too short for a header"},
		{make([]byte, 24), "m is 0"},
		{header(0, 0, 64, 8), "m is 0"},
		{header(64, 1<<16+1, 64, 8), "k is 65537, more than 65536"},
		{header(64, math.MaxUint64, 64, 8), "k is 18446744073709551615"},
		{header(64, 3, 64, 7), "31 bytes: too short for a bitset of 64 bits"},
		{header(65, 3, 65, 8), "too short for a bitset of 65 bits"},
		{header(64, 3, bitsReversed(64), 7), "too short for a bitset of 64 bits"},
		{header(1<<63, 3, 1<<63, 8), "too short for a bitset of 128 bits"}, // in the other order
		{header(math.MaxUint64, 3, math.MaxUint64, 1<<10), "too short for a bitset of 18446744073709551615 bits"},
		{header(math.MaxUint64-62, 3, math.MaxUint64-62, 8), "too short"},
		{stray, "bits behind the bitset"},
	} {
		f, err := bitsandblooms.Open(c.data)
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), c.says) || f != nil {
			t.Errorf("%x: %v, want %q", c.data, err, c.says)
		}
		if !bitsandblooms.MayContain(c.data, []byte("a")) {
			t.Errorf("%x: no", c.data)
		}
	}
	whole := header(1000, 7, 1000, 128)
	for n := range whole {
		if _, err := bitsandblooms.Open(whole[:n]); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
}

func bitsReversed(x uint64) uint64 {
	return binary.LittleEndian.Uint64(binary.BigEndian.AppendUint64(nil, x))
}

// TestByteOrder has lengths that fit in both orders: with fewer bytes, only one does.
func TestByteOrder(t *testing.T) {
	const big, little = 0x0000_0003_0200_0000, 0x0000_0002_0300_0000 // the same bytes
	if bitsReversed(big) != little {
		t.Fatal("they are not")
	}
	for _, c := range []struct {
		stored, m, want uint64
		bytes           int
	}{
		{big, big, big, 24 + big/8},
		{big, little, little, 24 + big/8},
		{big, 1, big, 24 + big/8},
		{little, little, little, 24 + big/8},
		{little, big, big, 24 + big/8},
		{little, 1, big, 24 + big/8},
		{big, 1, little, 24 + little/8},
		{big, big, big, 24 + little/8}, // which is too short
		{little, 1, little, 24 + little/8},
		{64, 64, 64, 31},
		{64, 1, 64, 31},
		{0, 7, 0, 24},
	} {
		length, isLittle := bitsandblooms.ReadLength(c.stored, c.m, c.bytes)
		if length != c.want || isLittle != (c.want != c.stored) {
			t.Errorf("%#x, m %#x, %d bytes: %#x, little-endian is %v, want %#x", c.stored, c.m, c.bytes, length, isLittle, c.want)
		}
	}
}

// TestUnusualFilters has what the original can write, too.
func TestUnusualFilters(t *testing.T) {
	for _, c := range []struct {
		data []byte
		want bool
	}{
		{header(1, 7, 0, 0), false},              // New(0, 7), without keys
		{header(1, 0, 0, 0), true},               // without probes
		{header(math.MaxUint64, 3, 0, 0), false}, // where New had no memory for its bitset
		{header(math.MaxUint64, 3, 64, 8), false},
		{header(1, 1<<16, 1, 8), false},
		{append(header(1, 1<<16, 1, 7), 1), true},
		{header(1, 3, 128, 16), false},
		{append(header(60, 3, 60, 0), 0xf0, 0, 0, 0, 0, 0, 0, 0), false}, // with bits behind m
		{append(header(60, 3, 67, 8), 0xff, 0, 0, 0, 0, 0, 0, 0), false}, // with bits behind both
	} {
		f := open(t, c.data)
		hits := make([]bool, 1)
		f.ContainsKeys([][]byte{nil}, hits)
		all := bitsandblooms.AppendFilters(nil, []*bitsandblooms.Filter{f}, bitsandblooms.Sum(nil))
		if f.Contains(nil) != c.want || hits[0] != c.want || (len(all) > 0) != c.want || bitsandblooms.MayContain(c.data, nil) != c.want {
			t.Errorf("%x: not %v", c.data, c.want)
		}
		if rate := f.EstimatedFPR(); c.want != (rate == 1) || !c.want && rate != 0 {
			t.Errorf("%x: rate %v", c.data, rate)
		}
	}
	if keys := open(t, append(header(1, 0, 1, 7), 1)).EstimatedKeys(); keys != 0 {
		t.Errorf("%v keys, which leave no trace", keys)
	}
	if keys := open(t, append(header(1, 2, 1, 7), 1)).EstimatedKeys(); !math.IsInf(keys, 1) {
		t.Errorf("%v keys in a filter without zeros", keys)
	}
}

// TestMutable compares the bytes with those of a naive filter.
func TestMutable(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		m, k := 1+r.Uint64N(3000), 1+r.IntN(20)
		f, err := bitsandblooms.New(m, k)
		if err != nil {
			t.Fatal(err)
		}
		want := &naive.BitsAndBlooms{M: m, K: uint64(k), Length: m, Words: make([]uint64, (m+63)/64)}
		for i := range r.IntN(100) {
			key := fmt.Appendf(nil, "%x-%d", r.Uint64(), i)
			for probe := range want.K {
				bit := want.Place(naive.BitsAndBloomsHash(key), probe)
				want.Words[bit/64] |= 1 << (bit % 64)
			}
			switch i % 3 {
			case 0:
				f.Add(key)
			case 1:
				f.AddString(string(key))
			default:
				f.AddHash(bitsandblooms.Sum(key))
			}
			if !f.Filter().Contains(key) || !f.Filter().ContainsString(string(key)) || !f.Filter().ContainsHash(bitsandblooms.Sum(key)) {
				t.Fatalf("m %d, k %d: a key is missing", m, k)
			}
		}
		if data := want.Append(nil, binary.BigEndian); !bytes.Equal(f.Bytes(), data) {
			t.Fatalf("m %d, k %d: %x, want %x", m, k, f.Bytes(), data)
		}
	}
}

func TestMutableOfImpossibleSizes(t *testing.T) {
	for _, c := range []struct {
		m     uint64
		k     int
		large bool
	}{
		{0, 1, false},
		{1, 0, false},
		{1, -1, false},
		{1, 1<<16 + 1, false},
		{math.MaxUint64, 1, true},
		{1<<63 - 1, 1, true},
	} {
		if f, err := bitsandblooms.New(c.m, c.k); f != nil || err == nil || errors.Is(err, simdbloom.ErrTooLarge) != c.large {
			t.Errorf("m %d, k %d: %v", c.m, c.k, err)
		}
	}
	if f, err := bitsandblooms.New(1, 1<<16); err != nil || f.Filter().K() != 1<<16 {
		t.Errorf("the most probes: %v", err)
	}
	if math.MaxInt == math.MaxInt32 { // an int holds its size, and not that of memory to align it in
		if f, err := bitsandblooms.New(8*(math.MaxInt32-40), 1); f != nil || !errors.Is(err, simdbloom.ErrTooLarge) {
			t.Error(err)
		}
	}
	for _, rate := range []float64{0, 1, -1, 2, math.NaN(), math.Inf(1)} {
		if f, err := bitsandblooms.NewForRate(10, rate); f != nil || err == nil {
			t.Errorf("rate %v: %v", rate, err)
		}
	}
	if f, err := bitsandblooms.NewForRate(0, 0.01); f != nil || err == nil {
		t.Error(err)
	}
	if f, err := bitsandblooms.NewForRate(math.MaxUint64, 1e-300); f != nil || !errors.Is(err, simdbloom.ErrTooLarge) {
		t.Error(err)
	}
	if f, err := bitsandblooms.NewForRate(1, math.SmallestNonzeroFloat64); err != nil || f.Filter().K() > 1100 {
		t.Error(f, err)
	}
}

// TestForRate measures the rate of a filter for it.
func TestForRate(t *testing.T) {
	const n, queries = 2000, 20_000
	f, err := bitsandblooms.NewForRate(n, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		f.AddString(fmt.Sprint("key", i))
	}
	hits := 0
	for i := range queries {
		if f.Filter().ContainsString(fmt.Sprint("other", i)) {
			hits++
		}
	}
	if rate := float64(hits) / queries; rate > 0.015 || rate < 0.006 {
		t.Errorf("rate %v", rate)
	}
	if rate := f.Filter().EstimatedFPR(); math.Abs(rate-0.01) > 0.001 {
		t.Errorf("estimated rate %v", rate)
	}
	if keys := f.Filter().EstimatedKeys(); math.Abs(keys-n) > n/50 {
		t.Errorf("%v keys", keys)
	}
}

func TestAllocations(t *testing.T) {
	data := header(1000, 7, 1000, 128)
	f, key, hits, dst := open(t, data), []byte("some key"), make([]bool, 100), make([]int, 0, 1)
	keys := slices.Repeat([][]byte{key}, 100)
	filters := []*bitsandblooms.Filter{f}
	if n := testing.AllocsPerRun(100, func() {
		f.Contains(key)
		f.ContainsKeys(keys, hits)
		bitsandblooms.MayContain(data, key)
		bitsandblooms.MayContain(data[:100], key)
		dst = bitsandblooms.AppendFilters(dst[:0], filters, bitsandblooms.Sum(key))
	}); n != 0 {
		t.Errorf("%v allocations of lookups", n)
	}
	if n := testing.AllocsPerRun(100, func() { filters[0], _ = bitsandblooms.Open(data) }); n != 1 {
		t.Errorf("%v allocations of Open", n)
	}
}
