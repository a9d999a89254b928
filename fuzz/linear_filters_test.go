package fuzz

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

func FuzzOpenLinear(f *testing.F) {
	addBytes(f, func(data []byte) { f.Add(data, queries) })
	add := func(lines int, r byte, layers ...uint32) {
		data := bytes.Repeat([]byte{0x9b}, 64*lines)
		for _, n := range layers {
			data = binary.LittleEndian.AppendUint32(data, n)
		}
		f.Add(append(data, r, byte(len(layers)), 1, 0x80, 'L', 'L', 'F', '1'), queries)
	}
	add(0, 31)
	add(1, 7, 1)
	add(7, 9, 4, 2, 1)
	add(2, 23, 2)
	add(2, 21, 2, 0)
	add(2, 21, 3)
	add(1, 21, math.MaxUint32, 2)
	add(17, 21, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	f.Fuzz(func(t *testing.T, data, queried []byte) {
		checkOpened(t, data, queried, func(data []byte) (opened, error) {
			filter, err := linear.Open(data, keyhash.XXPH3)
			o := opened{mayContain: linear.MayContainHash}
			if err != nil {
				return o, err
			}
			o.Filter, o.copyAligned = filter, filter.CopyAligned()
			o.verify = func() error { return nil }
			var layers []uint32
			lines := 0
			for _, n := range filter.Layers() {
				layers = append(layers, uint32(n))
				lines += n
			}
			if len(data) > 0 && 64*lines+4*len(layers)+8 != len(data) {
				t.Fatalf("layers %d in %d bytes", layers, len(data))
			}
			o.want = func(hash uint64) bool {
				return naive.LinearContains(data[:64*lines], layers, filter.FingerprintBits(), hash)
			}
			return o, nil
		})
	})
}

func FuzzBuildLinear(f *testing.F) {
	addBuilds(f)
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		buildLinear(t, bpk, vectors.Hashes(seed, int(n)), recipe, options, 0)
	})
}

// FuzzBuildLargeLinear does what FuzzBuildLargeBloom does for linear filters.
func FuzzBuildLargeLinear(f *testing.F) {
	addLargeBuilds(f)
	all := levels()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(mostGoroutines))
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, level, size byte, recipe []byte, options byte, limit uint32) {
		defer limitLevel(all, level)()
		buildLinear(t, bpk, largeHashes(seed, size), recipe, options, int(limit>>1))
	})
}

// mostNaive is the number of hashes up to which a naive filter takes little time.
const mostNaive = 5000

// buildLinear does what buildBloom does. A limit that leaves too few lines for all keys, and
// many keys, are compared with a filter that one goroutine builds.
func buildLinear(t *testing.T, bpk float64, hashes []uint64, recipe []byte, options byte, limit int) {
	t.Helper()
	builder := func(own ...linear.Option) (*linear.Builder, error) {
		if limit > 0 {
			own = append(own, linear.WithMaxBytes(limit))
		}
		return linear.NewBuilder(bpk, keyhash.XX64, own...)
	}
	b, err := builder(linear.WithConcurrency(goroutines(options)), linear.WithVerification())
	if limit > 0 && limit < 136 {
		refused(t, limit, err)
		return
	}
	if !accepted(t, bpk, err) {
		return
	}
	hashes = feed(b, hashes, recipe)
	n, millibits := uint64(len(hashes)), uint64(math.Round(min(bpk, 1000)*1000))
	fits := true
	if n > 0 && limit > 0 {
		most := uint64(limit-72) / 64
		if _, lines := naive.LinearPlan(n, millibits); lines > most {
			millibits = min(millibits, most*512_000/n)
			_, lines = naive.LinearPlan(n, millibits)
			fits = lines <= most
		}
	}
	var want []byte
	if fits && n <= mostNaive {
		want = naive.Linear(hashes, millibits)
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
