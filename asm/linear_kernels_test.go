package asm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// linear are the kernels of linear filters with the layers of a filter.
func linear(of naive.LinearFilter) kernels {
	layers := layersOf(of)
	return kernels{
		name: fmt.Sprintf("Linear, R=%d, j=%d, layers %d", of.R, of.J, of.Multipliers),
		contains: func(body []byte, hash uint64) bool {
			f := asm.NewLinear(body, layers)
			return f.Contains(hash)
		},
		containsBits: func(body []byte, hashes, hits []uint64) {
			f := asm.NewLinear(body, layers)
			f.ContainsBits(hashes, hits)
		},
		containsBools: func(body []byte, hashes []uint64, hits []bool) {
			f := asm.NewLinear(body, layers)
			f.ContainsBools(hashes, hits)
		},
		fallbackContains: func(body []byte, hash uint64) bool { return fallback.LinearContains(body, &layers, hash) },
		naiveContains: func(body []byte, hash uint64) bool {
			lines := len(body) / (asm.BlockBytes + 1)
			return naive.LinearFilter{
				R: of.R, J: of.J, Multipliers: of.Multipliers,
				Lines: body[:lines*asm.BlockBytes], Headers: body[lines*asm.BlockBytes:],
			}.Contains(hash)
		},
	}
}

// zeroFingerprint returns a hash whose fingerprint is zero, whatever its length, in layers of one
// section: the low half's product is the upper half of the high half's.
func zeroFingerprint(r *rand.Rand) uint64 {
	const high, low = 0x9e3779b1, 0x85ebca77
	a := r.Uint64() >> 32
	return vectors.Unmixed(a<<32 | uint64(uint32(a*high>>32)*inverse32(low)))
}

// inverse32 is the inverse of an odd number modulo 2^32.
func inverse32(x uint32) uint32 {
	inverse := x
	for range 5 {
		inverse *= 2 - x*inverse
	}
	return inverse
}

// linearHashes are random ones, and ones whose fingerprint is zero, which lines of zeros hold.
func linearHashes(seed uint64, n int) []uint64 {
	r := rand.New(rand.NewPCG(seed, 11))
	hashes := vectors.Hashes(seed, n)
	for i := 0; i < n; i += 2 {
		hashes[i] = zeroFingerprint(r)
	}
	edges := []uint64{0, 1, 1<<32 - 1, 1 << 32, 1 << 63, 1<<64 - 1}
	copy(hashes[min(n, 7):], edges)
	return hashes
}

// TestLinearKernels looks up batches of all lengths in bodies of any bytes, at any place,
// beside unreadable pages, for all lengths of fingerprints.
func TestLinearKernels(t *testing.T) {
	eachLevelAndDistance(t, func(t *testing.T) {
		room := testmem.Words(testmem.Between(t, 8*longestTail))
		hits := guardedRoom(t, longestTail)
		for bits := fallback.LeastLinearBits; bits <= fallback.MostLinearBits; bits++ {
			if fallback.LinearSlotsOf(bits) == 0 || sampled && bits%3 > 0 {
				continue
			}
			for variant, shape := range linearShapes {
				r := rand.New(rand.NewPCG(uint64(bits), uint64(variant)))
				hashes := linearHashes(uint64(bits), longestTail)
				for thresholds := range 5 { // the last: as solved
					of := craftedLinear(r, shape, bits, thresholds)
					clearSlots(of, 1+thresholds%2)
					if thresholds == 4 {
						solve(r, of, hashes[:longestTail*3/4])
					}
					kernel, contents := linear(of), linearBody(of)
					memory := testmem.Between(t, len(contents)+asm.BlockBytes)
					at := []int{0, asm.BlockBytes, 23, 40}[(thresholds+bits)%4]
					body := memory[at : at+len(contents) : at+len(contents)]
					copy(body, contents)
					writable := testmem.ReadOnly(t, memory)
					want := kernel.answers(body, hashes)
					describe := func() string { return fmt.Sprintf("%s, thresholds %d, place %d", kernel.name, thresholds, at) }
					kernel.checkSingles(t, body, hashes, want, describe)
					kernel.checkLengths(t, room, hits, body, hashes, want, thresholds%4, describe)
					writable()
				}
			}
		}
	})
}

// TestLinearKernelsHold has lines of zeros, which hold half of the hashes.
func TestLinearKernelsHold(t *testing.T) {
	hashes := linearHashes(1, 4096)
	zeros := naive.LinearFilter{R: 32, Multipliers: [][2]uint32{{0, 1}}, Lines: make([]byte, asm.BlockBytes), Headers: make([]byte, 1)}
	held := 0
	for _, hash := range hashes {
		if zeros.Contains(hash) {
			held++
		}
	}
	if held < len(hashes)/2-8 {
		t.Errorf("%d of %d hashes are held: batches are not tested with hits", held, len(hashes))
	}
}

// TestLongLinearBatches looks up more hashes than a kernel takes at a time, or puts into a group.
func TestLongLinearBatches(t *testing.T) {
	lengths := []int{255, 256, 257, 320, 511, 512, 513, 775, 1023, 1024, 1025, 1031, 2048, 2055, 4097, 10_000}
	hashes := linearHashes(5, slices.Max(lengths))
	batches := newLongBatches(t, 50<<20, eachLevelAndDistance)
	for _, shape := range []naive.LinearFilter{
		{Multipliers: [][2]uint32{{0, 9}}},
		{J: 7, Multipliers: [][2]uint32{{1100, 1000}, {200, 200}, {30, 30}, {0, 4}, {0, 1}}},
		{J: 50, Multipliers: [][2]uint32{{50_000, 50_000}, {9000, 9000}, {2000, 2000}, {0, 300}}},
		{J: 33, Multipliers: [][2]uint32{{700_000, 600_000}, {40_000, 30_000}}},
	} {
		for i, bits := range []int{7, 9, 14, 22, 24, 32} {
			of := craftedLinear(rand.New(rand.NewPCG(1, 2)), shape, bits, 3)
			kernel := linear(of)
			body := batches.body(len(of.Headers)*(asm.BlockBytes+1), i)
			fill(batches.memory, 0)
			for line := range of.Headers {
				body[len(of.Headers)*asm.BlockBytes+line] = byte(line * 37)
			}
			batches.check(t, kernel, body, hashes, func() []int {
				if sampled && i%3 > 0 {
					return nil
				}
				return lengths
			}, func() string { return kernel.name })
		}
	}
}

// TestLinearKeysThatFallOff has layers of closed lines, but for the first line: keys that no layer holds are contained,
// though the first line would hold them and has other fingerprints.
func TestLinearKeysThatFallOff(t *testing.T) {
	const thresholdOfClosed = 63 << 2
	eachLevel(t, func(t *testing.T) {
		for layers := 1; layers <= fallback.MaxLinearLayers; layers++ {
			of := naive.LinearFilter{R: 16, Multipliers: slices.Repeat([][2]uint32{{0, 2}}, layers)}
			of.Lines, of.Headers = make([]byte, 2*layers*asm.BlockBytes), slices.Repeat([]byte{thresholdOfClosed}, 2*layers)
			of.Headers[0] = 0
			kernel, body, hashes := linear(of), linearBody(of), vectors.Hashes(uint64(layers), 3*longestTail)
			hashes = slices.DeleteFunc(hashes, func(hash uint64) bool { return !kernel.naiveContains(body, hash) })
			if len(hashes) < longestTail {
				t.Fatalf("%d layers: %d hashes fall off", layers, len(hashes))
			}
			want := kernel.answers(body, hashes)
			describe := func() string { return kernel.name }
			kernel.checkSingles(t, body, hashes, want, describe)
			hits := guardedRoom(t, longestTail)
			for n := range longestTail {
				kernel.checkBatch(t, hits, atEnd, body, hashes[:n], want, describe)
			}
		}
	})
}
