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

// linear are the kernels of linear filters with the given layers.
func linear(r int, layers []uint32) kernels {
	return kernels{
		name: fmt.Sprintf("Linear, R=%d, layers %d", r, layers),
		contains: func(body []byte, hash uint64) bool {
			f := asm.NewLinear(body, layers, r)
			return f.Contains(hash)
		},
		containsBits: func(body []byte, hashes, hits []uint64) {
			f := asm.NewLinear(body, layers, r)
			f.ContainsBits(hashes, hits)
		},
		containsBools: func(body []byte, hashes []uint64, hits []bool) {
			f := asm.NewLinear(body, layers, r)
			f.ContainsBools(hashes, hits)
		},
		fallbackContains: func(body []byte, hash uint64) bool { return fallback.LinearContains(body, layers, r, hash) },
		naiveContains:    func(body []byte, hash uint64) bool { return naive.LinearContains(body, layers, r, hash) },
	}
}

// linearLayers are what filters of crafted bytes may have.
var linearLayers = [][]uint32{
	{1},
	{3},
	{70, 9, 2, 1},
	{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5},
}

func linesOf(layers []uint32) (sum int) {
	for _, lines := range layers {
		sum += int(lines)
	}
	return sum
}

// linearBody has lines of random bits. Thresholds are 0, low, high or any.
func linearBody(r *rand.Rand, layers []uint32, thresholds int) []byte {
	body := randomBody(r, linesOf(layers)*asm.BlockBytes)
	for header := asm.BlockBytes - 1; header < len(body); header += asm.BlockBytes {
		seed := body[header] & 3
		switch thresholds {
		case 0:
			body[header] = seed
		case 1:
			body[header] = byte(r.IntN(8))<<2 | seed
		case 2:
			body[header] = byte(56+r.IntN(8))<<2 | seed
		}
	}
	return body
}

// clearSlots makes all slots zero in one line of the given number. These lines hold the
// hashes whose fingerprint is zero.
func clearSlots(body []byte, every int) {
	for line := 0; line < len(body); line += every * asm.BlockBytes {
		clear(body[line : line+asm.BlockBytes-1])
	}
}

// solvedBody has lines that hold most of the hashes. Every other line has a wrong bit, so
// that about half of its hashes are not found.
func solvedBody(random *rand.Rand, layers []uint32, bits int, hashes []uint64) []byte {
	body := make([]byte, linesOf(layers)*asm.BlockBytes)
	var solver fallback.LinearSolver
	from := uint32(0)
	for _, lines := range layers {
		lists := make([][]uint64, lines)
		for _, hash := range hashes {
			line, _ := fallback.LinearPlace(hash, lines)
			lists[line] = append(lists[line], hash)
		}
		var bumped []uint64
		for number, list := range lists {
			line := body[(from+uint32(number))*asm.BlockBytes:][:asm.BlockBytes]
			fallback.LinearSolve(&solver, line, bits, lines, list)
			for _, hash := range list {
				if _, order := fallback.LinearPlace(hash, lines); order < fallback.LinearPlacesBelow(line[asm.BlockBytes-1]) {
					bumped = append(bumped, fallback.LinearNext(hash))
				}
			}
			if number%2 == 0 {
				wrong := random.IntN(8 * (asm.BlockBytes - 1))
				line[wrong/8] ^= 1 << (wrong % 8)
			}
		}
		hashes = bumped
		from += lines
	}
	return body
}

// zeroFingerprint returns a hash whose fingerprint is zero, whatever its length: the low
// half's product is the upper half of the high half's.
func zeroFingerprint(r *rand.Rand) uint64 {
	const high, low = 0x9e3779b1, 0x85ebca77
	a := r.Uint64() >> 32
	return a<<32 | uint64(uint32(a*high>>32)*inverse32(low))
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
	eachLevel(t, func(t *testing.T) {
		room := testmem.Words(testmem.Between(t, 8*longestTail))
		hits := guardedRoom(t, longestTail)
		for bits := fallback.LeastLinearBits; bits <= fallback.MostLinearBits; bits++ {
			if fallback.LinearSlotsOf(bits) == 0 || sampled && bits%3 > 0 {
				continue
			}
			for variant, layers := range linearLayers {
				kernel := linear(bits, layers)
				r := rand.New(rand.NewPCG(uint64(bits), uint64(variant)))
				hashes := linearHashes(uint64(bits), longestTail)
				memory := testmem.Between(t, linesOf(layers)*asm.BlockBytes+asm.BlockBytes)
				for thresholds := range 5 { // the last: as solved
					contents := linearBody(r, layers, thresholds)
					clearSlots(contents, 1+thresholds%2)
					if thresholds == 4 {
						contents = solvedBody(r, layers, bits, hashes[:longestTail*3/4])
					}
					at := []int{0, asm.BlockBytes, 23, 40}[(thresholds+bits)%4]
					body := memory[at : at+len(contents) : at+len(contents)]
					copy(body, contents)
					writable := testmem.ReadOnly(t, memory)
					want := kernel.answers(body, hashes)
					describe := func() string { return fmt.Sprintf("%s, thresholds %d, place %d", kernel.name, thresholds, at) }
					kernel.checkSingles(t, body, hashes, want, describe)
					for n := thresholds % 4; n <= longestTail; n += 4 {
						looked, to := room[:n], 0
						if n%8 < 4 {
							looked, to = room[len(room)-n:], atEnd
						}
						copy(looked, hashes)
						kernel.checkBatch(t, hits, to, body, looked, want, describe)
						if !slices.Equal(looked, hashes[:n]) {
							t.Fatalf("%s: looking up changed the hashes", describe())
						}
					}
					writable()
				}
			}
		}
	})
}

// TestLinearKernelsHold has lines of zeros, which hold half of the hashes.
func TestLinearKernelsHold(t *testing.T) {
	hashes := linearHashes(1, 4096)
	held := 0
	for _, hash := range hashes {
		if naive.LinearContains(make([]byte, asm.BlockBytes), []uint32{1}, 31, hash) {
			held++
		}
	}
	if held < len(hashes)/2-8 {
		t.Errorf("%d of %d hashes are held: batches are not tested with hits", held, len(hashes))
	}
}

// TestLongLinearBatches looks up more hashes than a kernel takes at a time, in bodies near
// and far.
func TestLongLinearBatches(t *testing.T) {
	lengths := []int{1023, 1024, 1025, 1031, 2048, 2055, 4097, 10_000}
	hashes := linearHashes(5, slices.Max(lengths))
	batches := newLongBatches(t, 48<<20, eachLevel)
	for _, layers := range [][]uint32{{9}, {1000, 200, 30, 4, 1}, {50_000, 9000, 2000, 300}, {700_000, 40_000}} {
		for i, bits := range []int{7, 9, 14, 22, 24, 31} {
			kernel := linear(bits, layers)
			size := linesOf(layers) * asm.BlockBytes
			body := batches.body(size, i)
			fill(batches.memory, 0)
			for line := 0; line < size; line += asm.BlockBytes {
				body[line+asm.BlockBytes-1] = byte(line / asm.BlockBytes * 37)
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
