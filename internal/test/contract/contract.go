// Package contract tests what the packages of all filters promise. Only tests import it.
package contract

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// Filter is what the Filter of every package has, apart from CopyAligned, which
// returns the package's own type.
type Filter interface {
	Contains(key []byte) bool
	ContainsString(key string) bool
	ContainsHash(hash uint64) bool
	ContainsHashes(hashes []uint64, hits []bool)
	ContainsHashBits(hashes, hits []uint64)
	ContainsKeys(keys [][]byte, hits []bool)
	AppendHits(dst []int, hashes []uint64) []int
	Hash() keyhash.Hash
	SizeBytes() int
	Bytes() []byte
	EstimatedFPR() float64
}

// Package is one of these packages, with one choice of options.
type Package struct {
	NewBuilder     func(bitsPerKey float64, hash keyhash.Hash) (policy.Builder, error)
	NewConcurrent  func(bitsPerKey float64, hash keyhash.Hash, n int) (policy.Builder, error) // which verifies, too
	Open           func(data []byte, hash keyhash.Hash) (Filter, error)
	CopyAligned    func(Filter) Filter
	MayContainHash func(data []byte, hash uint64) bool
	PredictedFPR   func(n int, bitsPerKey float64) float64
	BitsPerKeyFor  func(n int, fpr float64) float64
	Many           func(filters []Filter) Many

	ErrCorrupt error
	UnitBytes  int                   // what the body is a multiple of
	Lines      int                   // that a key has bits in, from 32 of its hash; 0 if the rate does not depend on them
	Trailer    func(body int) []byte // of a filter whose body has the given size and may have any content
	AlwaysTrue []byte                // a filter that may contain everything
	Strict     bool                  // other formats' bytes are an error
	SizeIsMost bool                  // SizeBytes is the largest size that the filter may have
	BytesCopy  bool                  // Bytes returns a copy
	Unlimited  bool                  // filters may have more than 4 GiB
	Least      float64               // the least bits per key that 100 keys or more never need to exceed
}

// probes returns a filter's NumProbes, or 0 if its package has none.
func probes(f Filter) int {
	if f, ok := f.(interface{ NumProbes() int }); ok {
		return f.NumProbes()
	}
	return 0
}

// Test runs every test of the contract.
func Test(t *testing.T, p Package) {
	t.Run("every setting contains what was added", p.testEverySetting)
	t.Run("all queries agree", p.testQueriesAgree)
	t.Run("ContainsKeys with any key hash", p.testKeyHashes)
	t.Run("short answers panic", p.testShortAnswersPanic)
	t.Run("queries allocate nothing", p.testAllocations)
	t.Run("AppendHits makes room once", p.testRoomForHits)
	t.Run("filters are stored again", p.testBytes)
	t.Run("builders are reused", p.testReuse)
	t.Run("ways to add", p.testWaysToAdd)
	t.Run("AddKeys allocates nothing", p.testAddKeysAllocatesNothing)
	t.Run("concurrency changes no byte", p.testConcurrency)
	t.Run("refused arguments", p.testRefusals)
	t.Run("many filters", p.testMany)
	t.Run("many filters, misused", p.testManyMisused)
	t.Run("readers in parallel", p.testParallelReaders)
	t.Run("any alignment", p.testAlignment)
	t.Run("collected keys take little memory", p.testMemory)
	t.Run("filters of 4 GiB", p.testFourGiB)
	t.Run("predicted rate is that of the bits", p.testPredictedRateIsThatOfTheBits)
	t.Run("rate that the hash bounds", p.testRateThatTheHashBounds)
	t.Run("predicted rate at the edges", p.testPredictedRateAtTheEdges)
	t.Run("more keys than fit", p.testMoreKeysThanFit)
	t.Run("BitsPerKeyFor is the least", p.testBitsPerKeyForIsTheLeast)
	t.Run("BitsPerKeyFor a wanted rate", p.testBitsPerKeyForAWantedRate)
}

func (p Package) builder(t *testing.T, bitsPerKey float64) policy.Builder {
	t.Helper()
	b, err := p.NewBuilder(bitsPerKey, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (p Package) build(t *testing.T, bitsPerKey float64, hashes []uint64) []byte {
	t.Helper()
	b := p.builder(t, bitsPerKey)
	b.AddHashes(hashes)
	return p.finish(t, b)
}

func (p Package) finish(t *testing.T, b policy.Builder) []byte {
	t.Helper()
	size := b.SizeBytes()
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > size || len(data) != size && !p.SizeIsMost {
		t.Fatalf("SizeBytes was %d, Finish gave %d bytes", size, len(data))
	}
	if len(data) > 0 && uintptr(unsafe.Pointer(&data[0]))%64 != 0 {
		t.Fatal("Finish's memory does not begin at a multiple of 64")
	}
	if b.Len() != 0 {
		t.Fatalf("%d keys left after Finish", b.Len())
	}
	return data
}

func (p Package) open(t *testing.T, data []byte) Filter {
	t.Helper()
	f, err := p.Open(data, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (p Package) testEverySetting(t *testing.T) {
	absent := vectors.Hashes(vectors.NegativeSeed, 20_000)
	settings := []float64{0.5, 0.75, 0.9996, 1, 1.009, 1.0135, 1.014}
	for bpk := 1.5; bpk <= 45; bpk += 1.7 {
		settings = append(settings, bpk)
	}
	settings = append(settings, 50, 50.001, 77.7, 99.999, 100, 1000, math.MaxFloat64)
	for _, bpk := range settings {
		for _, n := range []int{1, 2, 63, 500, 3000} {
			hashes := vectors.Hashes(uint64(n), n)
			f := p.open(t, p.build(t, bpk, hashes))
			if hits := f.AppendHits(nil, hashes); len(hits) != n {
				t.Errorf("%v bits/key, %d keys: %d found", bpk, n, len(hits))
			}
			if n == 3000 {
				measured := float64(len(f.AppendHits(nil, absent))) / float64(len(absent))
				estimated := f.EstimatedFPR()
				if d := math.Abs(measured - estimated); d > 0.05*estimated+4*math.Sqrt(estimated/float64(len(absent)))+1e-4 {
					t.Errorf("%v bits/key: estimated rate %.3g, measured %.3g", bpk, estimated, measured)
				}
			}
		}
	}
}

func (p Package) testRefusals(t *testing.T) {
	for _, bpk := range []float64{0, 0.4999, -1, -1e300, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := p.NewBuilder(bpk, keyhash.XX64); err == nil {
			t.Errorf("NewBuilder took %v bits per key", bpk)
		}
	}
	if _, err := p.NewBuilder(10, keyhash.Hash{}); err == nil {
		t.Error("NewBuilder took the zero Hash")
	}
	if _, err := p.Open(nil, keyhash.Hash{}); err == nil || errors.Is(err, p.ErrCorrupt) {
		t.Errorf("Open with the zero Hash: %v", err)
	}
	for n := 1; n <= len(p.Trailer(p.UnitBytes)); n++ {
		for _, fill := range []byte{0, 1, 6, 0x7f, 0xfe, 0xff} {
			data := bytes.Repeat([]byte{fill}, n)
			if _, err := p.Open(data, keyhash.XX64); !errors.Is(err, p.ErrCorrupt) {
				t.Errorf("%d bytes of %#x: %v", n, fill, err)
			}
			if !p.MayContainHash(data, 1) {
				t.Errorf("%d bytes of %#x: MayContainHash said no", n, fill)
			}
		}
	}
	for _, empty := range [][]byte{nil, {}} {
		f := p.open(t, empty)
		if f.Contains([]byte("key")) || p.MayContainHash(empty, 1) || f.EstimatedFPR() != 0 || f.SizeBytes() != 0 {
			t.Error("an empty filter contains something")
		}
	}
}
