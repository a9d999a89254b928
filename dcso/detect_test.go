package dcso_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestDetectedRules has filters of all sizes and fills, where Added is found, and no other rule is taken for it.
func TestDetectedRules(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		n      uint64
		keys   int
		rate   float64
		detect bool
	}{
		// Few keys for the size.
		{100, 1, 1e-4, true},
		{100, 3, 1e-4, true},
		{1000, 10, 0.3, true},
		{1000, 50, 0.001, true},
		{5000, 50, 1e-10, true},
		{100_000, 2, 0.001, true},
		{100_014, 200, 0.001, true}, // m is a multiple of 8
		// Many keys.
		{1000, 500, 1e-4, true},
		{1000, 1000, 0.01, true},
		{1000, 2000, 0.1, true},
		{2000, 1000, 0.3, true},
		{2000, 2000, 0.3, true},
		{2000, 2000, 0.01, true},
		{2000, 2000, 1e-4, true},
		{2000, 4000, 0.001, true},
		{5000, 5000, 1e-6, true},
		{20_000, 2000, 0.001, true},
		{20_000, 20_000, 0.001, true},
		{20_000, 40_000, 0.1, true}, // m is even
		{60_000, 60_000, 0.01, true},
		// Too few for statistics, none, and too many.
		{10, 10, 0.01, false},
		{100, 100, 0.001, false},
		{300, 150, 0.001, false},
		{1000, 0, 0.001, false},
		{100, 5000, 0.001, false},
		// Of one probe, which none follows.
		{1000, 1000, 0.6, false},
	} {
		for rule := dcso.Multiply; rule <= dcso.Added; rule++ {
			m, err := dcso.New(c.n, c.rate)
			if err != nil {
				t.Fatal(err)
			}
			f := m.Filter().WithRule(rule).MutableCopy()
			for range c.keys {
				f.AddHash(r.Uint64())
			}
			want := dcso.Multiply
			if rule == dcso.Added && c.detect {
				want = rule
			}
			if got := open(t, f.Bytes()).DetectRule(); got != want {
				t.Errorf("%+v, by the rule %v: %v", c, rule, got)
			}
		}
	}
}

// TestDetectRuleOfTheOldest is Seeded, whatever its bits are.
func TestDetectRuleOfTheOldest(t *testing.T) {
	for _, keys := range []int{3, 1000} {
		f := filled(1000, 0.001, "added", keys)
		for _, oldest := range []bool{false, true} {
			want := dcso.Added
			if oldest {
				want = dcso.Seeded
			}
			if got := open(t, f.Append(nil, oldest)).DetectRule(); got != want {
				t.Errorf("%d keys, oldest header %v: %v", keys, oldest, got)
			}
		}
	}
}

// TestDetectRuleOfFewKeys: of less than 500 keys by the header, the bits are too few to compare those of many.
func TestDetectRuleOfFewKeys(t *testing.T) {
	data := filled(1000, 0.001, "added", 1000).Append(nil, false)
	for keys, want := range map[uint64]dcso.Rule{499: dcso.Multiply, 500: dcso.Added} {
		binary.LittleEndian.PutUint64(data[40:], keys)
		if got := open(t, data).DetectRule(); got != want {
			t.Errorf("%d keys: %v", keys, got)
		}
	}
}

// TestDetectRuleOfAnyBits: whatever the bits are, behind m too, nothing beyond the bytes is read, and a filter that is
// full has a rate of 1, and not of more. Keys of Multiply are not taken for those of Added.
func TestDetectRuleOfAnyBits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	filters := multiplesOf64(t)[:4]
	for n := uint64(10); n < 700; n += 200 {
		filters = append(filters, naive.NewDCSO(n, 0.001))
	}
	for _, f := range filters {
		for _, fill := range []func(word uint64) uint64{
			func(uint64) uint64 { return 0 },
			func(uint64) uint64 { return math.MaxUint64 },
			func(uint64) uint64 { return 1 << r.IntN(64) },
			func(uint64) uint64 { return r.Uint64() },
			func(uint64) uint64 { return r.Uint64() | r.Uint64() | r.Uint64() },
			func(uint64) uint64 { return r.Uint64() | r.Uint64() | r.Uint64() | r.Uint64() | r.Uint64() },
			func(word uint64) uint64 { return word | 1<<63 }, // of the last word, behind m
		} {
			for i := range f.Words {
				f.Words[i] = fill(f.Words[i])
			}
			f.Keys = f.N + 500
			testmem.BesideGuards(t, f.Append(nil, false), func(data []byte) {
				filter := open(t, data)
				if rule := filter.DetectRule(); rule != dcso.Multiply {
					t.Errorf("m is %d: %v", f.M, rule)
				}
				if rate := filter.EstimatedFPR(); rate > 1 {
					t.Errorf("m is %d: a rate of %v", f.M, rate)
				}
				if keys := filter.EstimatedKeys(); math.IsNaN(keys) || keys < 0 {
					t.Errorf("m is %d: %v keys", f.M, keys)
				}
			})
		}
	}
}

// TestDetectRuleKnowsCoincidences: 0 and 2^64 modulo m follow themselves by every number, and a bit that follows four
// others is one that does. Such bits prove nothing.
func TestDetectRuleKnowsCoincidences(t *testing.T) {
	odd := naive.NewDCSO(300_003, 0.001)
	wrap := math.MaxUint64%odd.M + 1
	if odd.M%2 == 0 || wrap < 10 || wrap == odd.M {
		t.Fatalf("m is %d, 2^64 modulo m %d", odd.M, wrap)
	}
	even := naive.NewDCSO(100_000, 0.001)
	half, evenWrap := even.M/2, math.MaxUint64%even.M+1
	if even.M%2 != 0 || even.M%4 == 0 || evenWrap < 1000 {
		t.Fatalf("m is %d, 2^64 modulo m %d", even.M, evenWrap)
	}
	var four []uint64
	for _, bit := range []uint64{100, 200} {
		for _, from := range []uint64{bit, bit + evenWrap/2} {
			four = append(four, from%half, from%half+half)
		}
		four = append(four, 2*bit)
	}
	for f, places := range map[*naive.DCSO][]uint64{
		odd:  {0, 3, 6, wrap}, // 6 follows 3 by chance
		even: four,
	} {
		for _, bit := range places {
			f.Words[bit/64] |= 1 << (bit % 64)
		}
		f.Keys = 1
		if rule := open(t, f.Append(nil, false)).DetectRule(); rule != dcso.Multiply {
			t.Errorf("m is %d, bits %d: %v", f.M, places, rule)
		}
	}
}
