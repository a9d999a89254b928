package fuzz

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

func FuzzBuildLinear(f *testing.F) {
	addBuilds(f)
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		buildLinear(t, bpk, vectors.Hashes(seed, int(n)), recipe, options, 0)
	})
}

// FuzzBuildLargeLinear does what FuzzBuildLargeFastLocal does for linear filters.
func FuzzBuildLargeLinear(f *testing.F) {
	addLargeBuilds(f)
	all := levels()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(mostGoroutines))
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, level, size byte, recipe []byte, options byte, limit uint32) {
		defer cpu.Limit(all[int(level)%len(all)])()
		buildLinear(t, bpk, largeHashes(seed, size), recipe, options, int(limit>>1), inParts(level))
	})
}

// mostNaive is the number of hashes up to which a naive filter takes little time.
const mostNaive = 5000

// buildLinear does what buildBloom does. Many keys are compared with a filter that one goroutine builds.
func buildLinear(t *testing.T, bpk float64, hashes []uint64, recipe []byte, options byte, limit int, more ...simdbloom.Option) {
	t.Helper()
	builder := func(own ...simdbloom.Option) (*simdbloom.Builder, error) {
		if limit > 0 {
			own = append(own, simdbloom.WithMaxBytes(limit))
		}
		return linear.NewBuilder(bpk, keyhash.XX64, own...)
	}
	b, err := builder(append(more, simdbloom.WithConcurrency(goroutines(options)), simdbloom.WithVerification())...)
	if limit > 0 && limit < 201 {
		refused(t, limit, err)
		return
	}
	if !accepted(t, bpk, err) {
		return
	}
	hashes = feed(b, hashes, recipe)
	var want []byte
	if millibits, most := uint64(math.Round(min(bpk, 1000)*1000)), uint64(math.MaxUint64); len(hashes) <= mostNaive {
		if limit > 0 {
			most = uint64(limit-136) / 65
		}
		want = naive.LinearBy(naive.LinearLine, hashes, millibits, most, naive.LinearLoad).Bytes()
	} else {
		alone, err := builder()
		if err != nil {
			t.Fatal(err)
		}
		alone.AddHashes(hashes)
		if want, err = alone.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	if size := b.SizeBytes(); b.Len() != len(hashes) || size < len(want) || limit > 0 && size > limit {
		t.Fatalf("%d hashes, at most %d bytes; want %d, %d", b.Len(), size, len(hashes), len(want))
	}
	got, err := b.Finish()
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("other bytes than the naive builder's (%v)", err)
	}
	filter, err := linear.Open(got, keyhash.XX64)
	if err != nil || len(filter.AppendHits(nil, hashes)) != len(hashes) {
		t.Fatalf("hashes are missing (%v)", err)
	}
}
