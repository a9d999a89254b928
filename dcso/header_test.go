package dcso_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// header returns the bytes of a filter with any header, and zeros behind it.
func header(flags, n uint64, p float64, k, m uint64, size int) (data []byte) {
	for _, x := range []uint64{flags, n, math.Float64bits(p), k, m, 0} {
		data = binary.LittleEndian.AppendUint64(data, x)
	}
	return append(data, make([]byte, size)...)
}

func TestCorruptBytes(t *testing.T) {
	for _, c := range []struct {
		data []byte
		says string
	}{
		{nil, "0 bytes: too short for a header"},
		{header(1, 10, 0.01, 7, 95, 0)[:47], "47 bytes: too short for a header, 48 bytes"},
		{header(0, 10, 0.01, 7, 95, 16), "the version is 0, not 1"},
		{header(2, 10, 0.01, 7, 95, 16), "the version is 2, which is Poppy's own format"},
		{header(0x1ff, 10, 0.01, 7, 95, 16), "the version is 255"},
		{header(1, 0, 0.01, 7, 95, 16), "n is 0"},
		{header(1, 10, 0, 7, 95, 16), "p must be above 0 and below 1, not 0"},
		{header(1, 10, 1, 7, 95, 16), "not 1"},
		{header(1, 10, -0.5, 7, 95, 16), "not -0.5"},
		{header(1, 10, math.NaN(), 7, 95, 16), "not NaN"},
		{header(1, 10, math.Inf(1), 7, 95, 16), "not +Inf"},
		{header(1, 10, 0.01, 0, 95, 16), "k is 0"},
		{header(1, 10, 0.01, 1<<16+1, 95, 16), "k is 65537, more than 65536"},
		{header(1, 10, 0.01, 1<<63, 95, 16), "k is 9223372036854775808"},
		{header(1, 10, 0.01, math.MaxUint64, 95, 16), "k is 18446744073709551615"},
		{header(1, 10, 0.01, 7, 0, 16), "m is 0"},
		{header(1, 10, 0.01, 7, 95, 15), "63 bytes: too short for 95 bits"},
		{header(1, 10, 0.01, 7, 129, 16), "too short for 129 bits"},
		{header(1, 10, 0.01, 7, 1<<63, 16), "too short for 9223372036854775808 bits"},
		{header(1, 10, 0.01, 7, math.MaxUint64, 16), "too short for 18446744073709551615 bits"},
		{stored(t, "multiply.bloom.gz"), "in gzip"},
		{stored(t, "seeded.bloom")[:100], "the version is 100"}, // n is 100, where others have the version
	} {
		f, err := dcso.Open(c.data)
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), c.says) || f != nil {
			t.Errorf("%x: %v, want %q", c.data[:min(len(c.data), 60)], err, c.says)
		}
		if !dcso.MayContain(c.data, []byte("a")) {
			t.Errorf("%x: no", c.data)
		}
	}
	for _, name := range []string{"multiply.bloom", "seeded.bloom"} {
		whole := stored(t, name)
		for n := range whole[:len(whole)-len("free data\n")] {
			if _, err := dcso.Open(whole[:n]); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatalf("%s: %d of %d bytes: %v", name, n, len(whole), err)
			}
		}
	}
}

// TestOldestHeaders has numbers of keys whose low byte is the version of later headers.
func TestOldestHeaders(t *testing.T) {
	for _, n := range []uint64{1, 257, 10_001, 0x88b1f} {
		data := filled(n, 0.01, "seeded", 10).Append(nil, true)
		f := open(t, data)
		if f.Rule() != dcso.Seeded || f.Capacity() != n || f.Keys() != 10 && n > 1 {
			t.Errorf("n %d: %v, %d, %d keys", n, f.Rule(), f.Capacity(), f.Keys())
		}
		for i := range 10 {
			if !f.Contains(key(i)) {
				t.Errorf("n %d: no %s", n, key(i))
			}
		}
	}
	if f := open(t, naive.NewDCSO(1, 0.6).Append(nil, true)); f.M() != 1 || f.K() != 1 {
		t.Errorf("%d bits, %d probes", f.M(), f.K())
	}
	for n := range 3000 {
		f := open(t, filled(uint64(n+1), 0.01, "multiply", 1).Append(nil, false))
		if f.Rule() != dcso.Multiply || !f.Contains(key(0)) {
			t.Fatalf("n %d: %v", n+1, f.Rule())
		}
	}
}

// TestOldestHeadersArePlausible: without a bit, of no key, or at a rate that is none, they are corrupt.
func TestOldestHeadersArePlausible(t *testing.T) {
	for _, f := range []*naive.DCSO{
		{N: 1, P: 0.9999},
		{N: 1, P: 1},
		{N: 1, P: 0.9999, K: 1, M: 1},
		{N: 0, P: 0.01, K: 7, M: 95},
		{N: 0, P: 1},
		{N: 10, P: 0, K: 7, M: 95},
		{N: 10, P: 1.01, K: 7, M: 95},
		{N: 10, P: math.Inf(1), K: 7, M: 95},
		{N: 10, P: math.NaN(), K: 7, M: 95},
		{N: 10, P: 0.01, K: 1<<32 - 1, M: 95},
		{N: 10, P: 0.01, K: 7, M: 96},
	} {
		f.Words = make([]uint64, 2)
		data := f.Append(nil, true)
		if got, err := dcso.Open(data); !errors.Is(err, simdbloom.ErrCorrupt) || !dcso.MayContain(data, key(0)) {
			t.Errorf("%+v: %+v, %v", f, got, err)
		}
	}
}

// TestLogarithmsDiffer: where n and p have a whole number of bits but for the last bits of a logarithm, m may be that
// number or one less, by which side another language's logarithm is on.
func TestLogarithmsDiffer(t *testing.T) {
	for n := uint64(1); n < 200; n++ {
		whole := 100 * float64(n)
		p := math.Exp(-whole / float64(n) * math.Ln2 * math.Ln2)
		for _, m := range []float64{whole - 2, whole - 1, whole, whole + 1} {
			data := header(1, n, p, uint64(math.Ceil(math.Ln2*m/float64(n))), uint64(m), 8*int(m/64+1))
			if err := open(t, data).Verify(); (err == nil) != (m == whole-1 || m == whole) {
				t.Errorf("n %d, p %v, m %.0f: %v", n, p, m, err)
			}
		}
	}
}

// TestChangedHeaders flips every bit of a header: nothing panics, and Verify finds all but a few.
func TestChangedHeaders(t *testing.T) {
	whole := filled(1000, 0.001, "multiply", 1000).Append(nil, false)
	var missed []string
	for at := range 48 {
		for bit := range 8 {
			data := append([]byte(nil), whole...)
			data[at] ^= 1 << bit
			f, err := dcso.Open(data)
			if err != nil {
				continue
			}
			f.Contains(key(0))
			if f.Verify() == nil {
				missed = append(missed, fmt.Sprint(at, "/", bit))
			}
		}
	}
	// The rest of the flags, low bits of p, and a larger number of keys.
	for _, bit := range missed {
		var at, i int
		fmt.Sscanf(bit, "%d/%d", &at, &i)
		if !(at > 0 && at < 8 || at >= 16 && at < 22 || at >= 40) {
			t.Error("flipped:", bit)
		}
	}
}

func TestVerify(t *testing.T) {
	f := filled(1000, 0.001, "multiply", 500)
	if err := open(t, f.Append(nil, false)).Verify(); err != nil {
		t.Error(err)
	}
	for says, change := range map[string]func(){
		"bits are set behind m":       func() { f.Words[len(f.Words)-1] |= 1 << 63 },
		"bits are set, more than 300": func() { f.Keys = 300 },
		"k is 11, but 1000 keys":      func() { f.K++ },
		"m is 14378":                  func() { f.M++ },
	} {
		saved, last := *f, f.Words[len(f.Words)-1]
		change()
		if err := open(t, f.Append(nil, false)).Verify(); !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
		*f, f.Words[len(f.Words)-1] = saved, last
	}
	few := naive.NewDCSO(1000, 0.001)
	few.Keys, few.Words[0] = 5, 1<<60-1 // one key more has ten probes
	if err := open(t, few.Append(nil, false)).Verify(); err != nil {
		t.Error(err)
	}
	few.Words[1] = 1
	if err := open(t, few.Append(nil, false)).Verify(); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error("61 bits of 5 keys:", err)
	}
}
