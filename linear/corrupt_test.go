package linear_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// TestWhatIsWrong has one flaw each.
func TestWhatIsWrong(t *testing.T) {
	lines := func(n int, trailer []byte) []byte { return append(make([]byte, 64*n), trailer...) }
	changed := func(at int, to byte) []byte {
		data := lines(3, contract.LinearTrailer(21, 2, 1))
		data[len(data)-8+at] = to
		return data
	}
	for _, c := range []struct {
		says string
		data []byte
	}{
		{"too short for the trailer", []byte("LLF1")},
		{"too short for the trailer", contract.LinearTrailer(31)[1:]},
		{"not a linear filter's", make([]byte, 100)},
		{"not a linear filter's", changed(3, 0)},
		{"not a linear filter's", changed(4, 'l')},
		{"not a linear filter's", changed(7, '2')},
		{"the version is not 1", changed(2, 2)},
		{"no fingerprints", changed(0, 23)},
		{"no fingerprints", changed(0, 0)},
		{"no fingerprints", changed(0, 6)},
		{"no fingerprints", changed(0, 32)},
		{"no fingerprints", changed(0, 255)},
		{"more than 16 layers", changed(1, 17)},
		{"more than 16 layers", changed(1, 255)},
		{"too short for the numbers of lines", contract.LinearTrailer(21, 1, 1)[1:]},
		{"do not add up", changed(1, 1)},
		{"do not add up", changed(1, 0)},
		{"do not add up", lines(3, contract.LinearTrailer(21, 2, 2))},
		{"do not add up", lines(3, contract.LinearTrailer(21, 1, 1))},
		{"do not add up", append(make([]byte, 63), contract.LinearTrailer(21, 1)...)},
		{"do not add up", append(make([]byte, 65), contract.LinearTrailer(21, 1)...)},
		{"do not add up", lines(1, contract.LinearTrailer(21, math.MaxUint32, 2))},
		{"do not add up", contract.LinearTrailer(21, 1)},
		{"a layer has no lines", lines(3, contract.LinearTrailer(21, 3, 0))},
		{"a layer has no lines", lines(3, contract.LinearTrailer(21, 0, 3))},
		{"a layer has no lines", contract.LinearTrailer(21, 0)},
	} {
		_, err := linear.Open(c.data, keyhash.XX64)
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), c.says) || !strings.HasPrefix(err.Error(), "simdbloom: Linear: ") {
			t.Errorf("%x: %v, want %q", c.data[max(0, len(c.data)-20):], err, c.says)
		}
		if !linear.MayContainHash(c.data, 1) {
			t.Errorf("%s: MayContainHash said no", c.says)
		}
	}
	bad := changed(2, 2)
	if allocs := testing.AllocsPerRun(10, func() { linear.MayContainHash(bad, 1) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestAnyLines has lines of any content beside memory that may not be touched, in every
// shape of filter.
func TestAnyLines(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for bits := 7; bits <= 31; bits++ {
		if bits == 23 || bits == 27 || bits == 30 {
			continue
		}
		for round := range 6 {
			var layers []uint32
			total := 0
			for range 1 + r.IntN(16) {
				layers = append(layers, 1+r.Uint32N(1<<r.UintN(6)))
				total += int(layers[len(layers)-1])
			}
			body := make([]byte, 64*total)
			for i := range body {
				body[i] = byte(r.Uint32())
			}
			if round%2 == 0 { // most lookups reach the last layer
				for i := 63; i < len(body); i += 64 {
					body[i] |= 0xf0
				}
			}
			queried := append(vectors.Hashes(r.Uint64(), 500), 0, 1, 1<<32-1, 1<<32, 1<<64-1)
			var want []int
			for i, hash := range queried {
				if naive.LinearContains(body, layers, bits, hash) {
					want = append(want, i)
				}
			}
			testmem.BesideGuards(t, append(body, contract.LinearTrailer(bits, layers...)...), func(data []byte) {
				f := contract.Linear.Opened(t, data)
				if got := f.AppendHits(nil, queried); !slices.Equal(got, want) {
					t.Errorf("%d bits, layers %d: %d, want %d", bits, layers, got, want)
				}
				for i, hash := range queried[:50] {
					if alone := f.ContainsHash(hash); alone != slices.Contains(want, i) || linear.MayContainHash(data, hash) != alone {
						t.Errorf("%d bits, layers %d: hash %#x alone: %v", bits, layers, hash, alone)
					}
				}
				absent := vectors.Hashes(r.Uint64(), 20_000)
				measured := float64(len(f.AppendHits(nil, absent))) / float64(len(absent))
				if rate := f.EstimatedFPR(); math.Abs(rate-measured) > 0.1*rate+0.02 {
					t.Errorf("%d bits, layers %d: estimated rate %.4f, measured %.4f", bits, layers, rate, measured)
				}
			})
		}
	}
}

func TestLayers(t *testing.T) {
	f := contract.Linear.Opened(t, append(make([]byte, 5*64), contract.LinearTrailer(9, 3, 2)...))
	if !slices.Equal(linear.Layers(f), []int{3, 2}) || linear.FingerprintBits(f) != 9 {
		t.Errorf("layers %d of %d bits", linear.Layers(f), linear.FingerprintBits(f))
	}
	for _, empty := range [][]byte{nil, contract.LinearTrailer(31), contract.LinearTrailer(7)} {
		f := contract.Linear.Opened(t, empty)
		if len(linear.Layers(f)) != 0 || f.EstimatedFPR() != 0 || f.ContainsHash(1) || !bytes.Equal(f.CopyAligned().Bytes(), empty) {
			t.Errorf("%x: layers %d, or it contains something", empty, linear.Layers(f))
		}
	}
}
