package linear_test

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

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/fallback"
	plans "github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// TestWhatIsWrong has one flaw each, also in layers where few lookups end: none of them is answered "no", so that
// MayContainHash must read all of the trailer.
func TestWhatIsWrong(t *testing.T) {
	lines := func(n int, trailer []byte) []byte { return append(make([]byte, 65*n), trailer...) }
	changed := func(at int, to byte) []byte {
		data := lines(3, contract.LinearTrailer(21, 2, 1))
		data[len(data)-8+at] = to
		return data
	}
	cut := func(data []byte, j byte, first uint32) []byte { // which the first layer has a section for
		binary.LittleEndian.PutUint32(data[len(data)-16:], first)
		data[len(data)-8] = j
		return data
	}
	for _, c := range []struct {
		says string
		data []byte
	}{
		{"too short for the trailer", []byte("LLF2")},
		{"too short for the trailer", contract.LinearTrailer(32)[1:]},
		{"format 1 of linear filters", changed(7, '1')},
		{"not a linear filter's", make([]byte, 100)},
		{"not a linear filter's", changed(3, 0)},
		{"not a linear filter's", changed(4, 'l')},
		{"not a linear filter's", changed(7, '3')},
		{"no fingerprints", changed(1, 27)},
		{"no fingerprints", changed(1, 0)},
		{"no fingerprints", changed(1, 6)},
		{"no fingerprints", changed(1, 33)},
		{"no fingerprints", changed(1, 255)},
		{"more than 16 layers", changed(2, 17)},
		{"more than 16 layers", changed(2, 255)},
		{"too short for the layers", contract.LinearTrailer(21, 1, 1)[1:]},
		{"do not add up", changed(2, 1)},
		{"do not add up", changed(2, 0)},
		{"do not add up", lines(3, contract.LinearTrailer(21, 2, 2))},
		{"do not add up", lines(3, contract.LinearTrailer(21, 1, 1))},
		{"do not add up", append(make([]byte, 64), contract.LinearTrailer(21, 1)...)},
		{"do not add up", append(make([]byte, 66), contract.LinearTrailer(21, 1)...)},
		{"do not add up", lines(1, contract.LinearTrailer(21, math.MaxUint32, 2))},
		{"do not add up", contract.LinearTrailer(21, 1)},
		{"do not add up", cut(lines(3, contract.LinearTrailer(21, 3)), 32, 3)},
		{"do not add up", lines(40, contract.LinearTrailer(21, 39, 2))},
		{"do not add up", cut(lines(40, contract.LinearTrailer(21, 39, 1)), 32, 1<<31)},
		{"no sections have that cut", changed(0, 64)},
		{"no sections have that cut", changed(0, 255)},
		{"no sections have that cut", cut(lines(1, contract.LinearTrailer(32, 1)), 1, 0)},
		{"no sections have that cut", append([]byte{1}, contract.LinearTrailer(21)[1:]...)},
		{"the cut leaves no keys", cut(lines(2, contract.LinearTrailer(21, 1)), 0, 1)},
		{"the cut leaves no keys", cut(lines(40, contract.LinearTrailer(21, 39, 1)), 0, 1)},
		{"a layer has no lines", lines(3, contract.LinearTrailer(21, 3, 0))},
		{"a layer has no lines", lines(3, contract.LinearTrailer(21, 0, 3))},
		{"a layer has no lines", contract.LinearTrailer(21, 0)},
		{"a layer has no lines", lines(40, contract.LinearTrailer(21, 39, 1, 0))},
	} {
		_, err := linear.Open(c.data, keyhash.XX64)
		if !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%x: %v, want %q", c.data[max(0, len(c.data)-20):], err, c.says)
		}
		for _, hash := range vectors.Hashes(8, 100) {
			if !linear.MayContainHash(c.data, hash) {
				t.Fatalf("%s: MayContainHash said no for %#x", c.says, hash)
			}
		}
	}
	bad := changed(1, 27)
	if allocs := testing.AllocsPerRun(10, func() { linear.MayContainHash(bad, 1) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestAnyLines looks up in filters of random bytes, as the naive reading does.
func TestAnyLines(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for bits := fallback.LeastLinearBits; bits <= fallback.MostLinearBits; bits++ {
		if fallback.LinearSlotsOf(bits) == 0 {
			continue
		}
		for round := range 6 {
			of := naive.LinearFilter{R: bits}
			if bits < fallback.MostLinearBits && round%3 > 0 {
				of.J = r.IntN(64)
			}
			total := uint64(0)
			for range 1 + r.IntN(16) {
				multipliers := [2]uint32{0, 1 + r.Uint32N(1<<r.UintN(6))}
				if of.J > 0 && r.IntN(4) > 0 {
					multipliers[0] = 1 + r.Uint32N(1<<r.UintN(6))
				}
				of.Multipliers = append(of.Multipliers, multipliers)
				a, b := naive.LinearSections(multipliers, of.J)
				total += a + b
			}
			of.Lines, of.Headers = make([]byte, 64*total), make([]byte, total)
			for i := range of.Lines {
				of.Lines[i] = byte(r.Uint32())
			}
			for i := range of.Headers {
				of.Headers[i] = byte(r.Uint32())
				if round%2 == 0 { // most lookups reach the last layer
					of.Headers[i] |= 0xf0
				}
			}
			queried := append(vectors.Hashes(r.Uint64(), 500), 0, 1, 1<<32-1, 1<<32, 1<<64-1)
			var want []int
			for i, hash := range queried {
				if of.Contains(hash) {
					want = append(want, i)
				}
			}
			describe := fmt.Sprintf("%d bits, j=%d, layers %d", bits, of.J, of.Multipliers)
			testmem.BesideGuards(t, of.Bytes(), func(data []byte) {
				f := contract.Linear.Opened(t, data)
				if got := f.AppendHits(nil, queried); !slices.Equal(got, want) {
					t.Errorf("%s: %d, want %d", describe, got, want)
				}
				for i, hash := range queried[:50] {
					if alone := f.ContainsHash(hash); alone != slices.Contains(want, i) || linear.MayContainHash(data, hash) != alone {
						t.Errorf("%s: hash %#x alone: %v", describe, hash, alone)
					}
				}
				absent := vectors.Hashes(r.Uint64(), 20_000)
				measured := float64(len(f.AppendHits(nil, absent))) / float64(len(absent))
				if rate := f.EstimatedFPR(); math.Abs(rate-measured) > 0.1*rate+0.02 {
					t.Errorf("%s: estimated rate %.4f, measured %.4f", describe, rate, measured)
				}
			})
		}
	}
}

func TestLayers(t *testing.T) {
	f := contract.Linear.Opened(t, append(make([]byte, 5*65), contract.LinearTrailer(9, 3, 2)...))
	if !slices.Equal(geometry.Layers(f), []int{3, 2}) || geometry.FingerprintBits(f) != 9 {
		t.Errorf("layers %d of %d bits", geometry.Layers(f), geometry.FingerprintBits(f))
	}
	f = contract.Linear.Opened(t, plans.AppendTrailer(make([]byte, 64*65), [][2]uint32{{64, 64}}, 20, 9)) // two sections
	if longer := geometry.LongerFingerprints(f); !slices.Equal(geometry.Layers(f), []int{64}) || longer != 20 {
		t.Errorf("layers %d, %d 64ths have longer fingerprints", geometry.Layers(f), longer)
	}
	for _, empty := range [][]byte{nil, contract.LinearTrailer(32), contract.LinearTrailer(7)} {
		f := contract.Linear.Opened(t, empty)
		if len(geometry.Layers(f)) != 0 || geometry.FingerprintBits(f) != 0 || f.EstimatedFPR() != 0 || f.ContainsHash(1) || !bytes.Equal(f.CopyAligned().Bytes(), empty) {
			t.Errorf("%x: layers %d, or it contains something", empty, geometry.Layers(f))
		}
	}
}
