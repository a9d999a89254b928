package buildtest

import (
	"bytes"
	"crypto/sha256"
	"math"
	"math/bits"
	"testing"

	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// RocksDB's option optimize_filters_for_memory makes filters as large as the memory that the
// allocator gives for them, and balances their rates over the filters of a policy. Builders have no
// such option, but the filters are in files: they must be read, and bytes of the same size must be
// RocksDB's.

// usable is the vectors' model of an allocator: the size of the memory for a request.
func usable(request int) int {
	if request <= 128 {
		return (request + 15) &^ 15
	}
	unit := 1 << (bits.Len(uint(request-1)) - 3)
	return (request + unit - 1) / unit * unit
}

// sizing is how a filter of some keys may be sized.
type sizing struct {
	unit  int                    // bytes that the body is a multiple of
	plain int                    // the size without the option, trailer included
	rate  func(size int) float64 // RocksDB's estimate
}

const trailerBytes = 5

func (s sizing) down(size int) int { return (size-trailerBytes)/s.unit*s.unit + trailerBytes }

// optimized returns the size that RocksDB chooses, and the policy's balance behind this filter
// (XXPH3FilterBitsBuilder::AllocateMaybeRounding in table/block_based/filter_policy.cc).
func (s sizing) optimized(balance int64) (size int, after int64) {
	const one = 1 << 32
	target := s.rate(s.plain)
	size, rate := s.plain, target
	if balance < 0 {
		most := float64(-balance)/one + target
		for sixteenths := 12; sixteenths < 16; sixteenths++ {
			smaller := s.down(sixteenths*(s.plain-trailerBytes)/16 + trailerBytes)
			if r := s.rate(smaller); r <= most {
				size, rate = smaller, r
				break
			}
		}
	}
	if memory := usable(size + trailerBytes); memory-memory/4 <= size+trailerBytes && memory > size+trailerBytes {
		size = s.down(memory - trailerBytes)
		rate = s.rate(size)
	}
	return size, balance + int64((rate-target)*one)
}

// fastLocalRate is RocksDB's estimate of a FastLocal filter's rate (BloomMath in
// util/bloom_impl.h).
func fastLocalRate(size, keys, probes int) float64 {
	const lineBits = 512
	standard := func(bitsPerKey float64) float64 {
		return math.Pow(1-math.Exp(-float64(probes)/bitsPerKey), float64(probes))
	}
	perLine := lineBits / (8 * float64(size-trailerBytes) / float64(keys))
	deviation := math.Sqrt(perLine)
	local := (standard(lineBits/(perLine+deviation)) + standard(lineBits/(perLine-deviation))) / 2
	byChance := math.Ldexp(float64(keys), -64) // two keys with one hash
	return local + byChance - local*byChance
}

func realProbes(size, keys int) int { return fastlocal.NumProbes((size - trailerBytes) * 8000 / keys) }

// ribbonRate is RocksDB's estimate of a Ribbon filter's rate.
func ribbonRate(t *testing.T, size int, blocks uint32) float64 {
	t.Helper()
	f, err := ribbon.Open(append(make([]byte, size-trailerBytes), ribbonTrailer(0, blocks)...), keyhash.XXPH3)
	if err != nil {
		t.Fatal(err)
	}
	return f.EstimatedFPR()
}

func TestFiltersOptimizedForMemory(t *testing.T) {
	if program.Raced {
		t.Skip("has one goroutine, and takes long")
	}
	for _, v := range vectors.OptimizedForMemory() {
		k := kind{name: "FastLocal", bitsPerKey: v.BitsPerKey}
		if v.Kind == "ribbon" {
			k = kind{name: "Ribbon", bitsPerKey: v.BitsPerKey, batch: inColumns}
		}
		balance := int64(0)
		for i, want := range v.Filters {
			hashes := vectors.Hashes(v.Seed+uint64(i), want.N)
			size, after, build := k.optimized(t, hashes, balance)
			// Go's exp and pow may differ from RocksDB's in the last place.
			if size != want.TotalLen || max(after-want.Balance, want.Balance-after) > 1 {
				t.Errorf("%s, %d keys: %d bytes and balance %d, want %d and %d", k.name, want.N, size, after, want.TotalLen, want.Balance)
				continue
			}
			balance = want.Balance
			data := build(size)
			if sum := sha256.Sum256(data); !bytes.Equal(sum[:], want.SHA256) || !bytes.HasSuffix(data, want.Trailer) {
				t.Errorf("%s, %d keys in %d bytes: other bytes than RocksDB's", k.name, want.N, size)
			}
			checkOptimized(t, k.name, data, hashes)
			plain := k.builder(t, 1)
			plain.AddHashes(hashes)
			if size >= plain.SizeBytes() {
				continue // no option makes a filter larger
			}
			b := k.within(size).verifying(t, 1)
			b.AddHashes(hashes)
			same(t, finish(t, b), data, "%s, %d keys in at most %d bytes", k.name, want.N, size)
		}
	}
}

// optimized returns the size that RocksDB chooses for a filter, the policy's balance behind it, and
// what builds it.
func (k kind) optimized(t *testing.T, hashes []uint64, balance int64) (size int, after int64, build func(size int) []byte) {
	t.Helper()
	n := len(hashes)
	if k.batch == inColumns {
		if body, blocks, ok := k.ribbonShape(hashes); ok {
			s := sizing{16, body + trailerBytes, func(size int) float64 { return ribbonRate(t, size, blocks) }}
			size, after = s.optimized(balance)
			return size, after, func(size int) []byte {
				data, _ := ribbonOf(size-trailerBytes, blocks, hashes)
				return data
			}
		}
		k = k.fastLocal()
	}
	plain := int(fastlocal.Layout.BodyBytes(uint64(n), k.millibits())) + trailerBytes
	s := sizing{64, plain, func(size int) float64 { return fastLocalRate(size, n, realProbes(size, n)) }}
	size, after = s.optimized(balance)
	return size, after, func(size int) []byte {
		return naive.FastLocalOf((size-trailerBytes)/64, hashes, realProbes(size, n))
	}
}

// checkOptimized looks up in a filter's bytes as those of RocksDB's policies.
func checkOptimized(t *testing.T, name string, data []byte, hashes []uint64) {
	t.Helper()
	for _, text := range []string{"ribbonfilter:10", "bloomfilter:10"} {
		p, err := policy.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		if hits := f.AppendHits(nil, hashes); len(hits) != len(hashes) {
			t.Errorf("%s, %d keys in %d bytes: %d are found", name, len(hashes), len(data), len(hits))
		}
		absent := vectors.Hashes(vectors.NegativeSeed, vectors.Negatives)
		found := float64(len(f.AppendHits(nil, absent)))
		if want := f.EstimatedFPR() * vectors.Negatives; math.Abs(found-want) > 0.1*want+5*math.Sqrt(want)+1 {
			t.Errorf("%s, %d keys in %d bytes: %v false positives, want %v", name, len(hashes), len(data), found, want)
		}
		if !p.HashApplies(data) || !p.MayContainHash(data, hashes[0]) {
			t.Errorf("%s, %d keys in %d bytes: the first hash is missing", name, len(hashes), len(data))
		}
	}
}
