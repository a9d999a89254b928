package asm_test

import (
	"bytes"
	"encoding/binary"
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

// TestLegacyBatchesAroundBuffers has batches that are as long as the buffers into which hashes are
// widened, and some longer, right behind an unreadable page and right before one, as their answers
// are.
func TestLegacyBatchesAroundBuffers(t *testing.T) {
	const longest = 2*2048 + 300
	var lengths []int
	for n := range longest + 1 {
		if beside := (n + 12) % 2048; n <= 300 || beside <= 24 || n%251 == 0 {
			lengths = append(lengths, n)
		}
	}
	hashes := vectors.Hashes(41, longest)
	batches := newLongBatches(t, 70*asm.BlockBytes, eachLevelAndDistance)
	for i, k := range probeClasses {
		batches.checkContents(t, legacy(k), batches.body(70*asm.BlockBytes, i), hashes, func() []int {
			if sampled {
				return slices.DeleteFunc(slices.Clone(lengths), func(n int) bool { return n%3 != 1 })
			}
			return lengths
		})
	}
}

// TestLegacyLines has numbers of lines around powers of two, and hashes around multiples of
// them and in single lines.
func TestLegacyLines(t *testing.T) {
	most := 1 << 20
	if slow {
		most = 1 << 14
	}
	numbers := []int{1, 2, 3, 5, 6, 7, 9, 641}
	for lines := 8; lines <= most; lines *= 2 {
		numbers = append(numbers, lines-1, lines, lines+1)
	}
	pattern := randomBody(rand.New(rand.NewPCG(1, 86)), 1<<16+3*asm.BlockBytes)
	body := make([]byte, (most+1)*asm.BlockBytes)
	for at := 0; at < len(body); {
		at += copy(body[at:], pattern)
	}
	eachLevel(t, func(t *testing.T) {
		for i, lines := range numbers {
			body := body[:lines*asm.BlockBytes]
			hashes := hashesOfLines(uint32(lines))
			hits := newRoom(len(hashes))
			for _, k := range []int{1, 3, probeClasses[i%len(probeClasses)]} {
				kernel := legacy(k)
				want := kernel.answers(body, hashes)
				for i, hash := range hashes {
					if kernel.naiveContains(body, hash) != isSet(want, i) {
						t.Fatalf("%s, %d lines: hash %#x: fallback is wrong", kernel.name, lines, hash)
					}
				}
				describe := func() string { return fmt.Sprintf("%s, %d lines", kernel.name, lines) }
				kernel.checkSingles(t, body, hashes, want, describe)
				for _, n := range []int{31, 250, len(hashes)} {
					kernel.checkBatch(t, hits, i%places, body, hashes[:n], want, describe)
				}
			}
		}
	})
}

// hashesOfLines returns hashes at the ends of their range, around multiples of the number of
// lines, in the first line, in the last, and random ones.
func hashesOfLines(lines uint32) (hashes []uint64) {
	r := rand.New(rand.NewPCG(uint64(lines), 87))
	last := ^uint32(0) / lines * lines
	for i := range uint32(20) {
		for _, hash := range []uint32{i, ^i, last + i, last - i} {
			hashes = append(hashes, uint64(hash))
		}
	}
	for range 200 {
		multiple := r.Uint32() / lines * lines
		for _, hash := range []uint32{multiple, multiple - 1, multiple + 1, r.Uint32()} {
			hashes = append(hashes, uint64(hash))
		}
		for _, line := range []uint32{0, lines - 1} {
			hashes = append(hashes, legacyHashInLine(r, int(line), int(lines), r.IntN(30)))
		}
	}
	r.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
	return hashes
}

// TestLegacyBatchesOfOneLine puts all hashes, or all but a few, into one line of a body that
// is far.
func TestLegacyBatchesOfOneLine(t *testing.T) {
	const lines, longest = 70, 3000
	r := rand.New(rand.NewPCG(1, 88))
	eachLevel(t, func(t *testing.T) {
		eachDistance(t, func(t *testing.T) {
			for _, kernel := range someLegacy() {
				body := kernel.balancedBody(r, lines*asm.BlockBytes)
				for _, line := range []int{0, 1, lines / 2, lines - 1} {
					hashes := make([]uint64, longest)
					for i := range hashes {
						in := line
						if i%100 == 99 {
							in = r.IntN(lines)
						}
						hashes[i] = legacyHashInLine(r, in, lines, r.IntN(kernel.probes))
					}
					kernel.checkBatch(t, newRoom(longest), 0, body, hashes, kernel.answers(body, hashes), func() string {
						return fmt.Sprintf("%s, all in line %d", kernel.name, line)
					})
				}
			}
		})
	})
}

// TestLegacyLinesOfOtherSizes has lines of 2^m bytes, which no kernel takes but of 64.
func TestLegacyLinesOfOtherSizes(t *testing.T) {
	hashes := append(vectors.Hashes(42, 400), 0, 1, 1<<31, 1<<32-1, 1<<32, 1<<63, 1<<64-1)
	eachLevel(t, func(t *testing.T) {
		for _, size := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 4096, 1 << 16} {
			for _, lines := range []uint32{1, 2, 3, 31, 128} {
				for _, k := range []int{1, 6, 16, 30, 31, 64, 127} {
					testLegacyLines(t, size, lines, k, hashes)
				}
			}
		}
	})
}

func testLegacyLines(t *testing.T, size int, lines uint32, k int, hashes []uint64) {
	describe := fmt.Sprintf("%d lines of %d bytes, k=%d", lines, size, k)
	added := min(len(hashes)/2, size*int(lines)*8/k+1)
	body, want := make([]byte, size*int(lines)), make([]byte, size*int(lines))
	for _, hash := range hashes[:added] {
		naive.LegacyAdd(want, lines, k, uint32(hash))
	}
	asm.LegacyAdd(body, lines, k, hashes[:added/3])
	asm.LegacyAdd(body, lines, k, hashes[added/3:added])
	if !bytes.Equal(body, want) {
		t.Fatalf("%s: other bits", describe)
	}
	f := asm.NewLegacy(body, lines, k)
	for _, n := range []int{0, 5, 64, len(hashes)} {
		bits, bools := make([]uint64, asm.Words(n)), make([]bool, n)
		f.ContainsBits(hashes[:n], bits)
		f.ContainsBools(hashes[:n], bools)
		for i, hash := range hashes[:n] {
			want := naive.LegacyContains(body, lines, k, uint32(hash))
			if isSet(bits, i) != want || bools[i] != want || f.Contains(hash) != want || fallback.LegacyContains(body, lines, k, hash) != want {
				t.Fatalf("%s, batch of %d: hash %#x: not %v", describe, n, hash, want)
			}
		}
		if n%64 != 0 && bits[n/64]>>(n%64) != 0 {
			t.Fatalf("%s, batch of %d: answers beyond the last", describe, n)
		}
	}
}

// TestLegacyBodiesOf4GiB has more lines than kernels take.
func TestLegacyBodiesOf4GiB(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, size := range []uint64{1 << 32, 1<<32 + asm.BlockBytes} {
			body := testmem.Sparse(t, size)
			if body == nil {
				t.Logf("this machine has no %d bytes for a slice", size)
				return
			}
			lines := uint32(size / asm.BlockBytes)
			hashes := append(vectors.Hashes(43, 300), edgeHashes...)
			asm.LegacyAdd(body, lines, 6, hashes[:200])
			f := asm.NewLegacy(body, lines, 6)
			bits := make([]uint64, asm.Words(len(hashes)))
			f.ContainsBits(hashes, bits)
			for i, hash := range hashes {
				want := naive.LegacyContains(body, lines, 6, uint32(hash))
				if isSet(bits, i) != want || f.Contains(hash) != want || i < 200 && !want {
					t.Fatalf("%d bytes: hash %#x: not %v", size, hash, want)
				}
			}
		}
	})
}

// TestUsualLegacy compares what one look at the trailer says with what NewLegacy and pure Go
// say of bytes, which lie right beside unreadable pages.
func TestUsualLegacy(t *testing.T) {
	hashes := vectors.Hashes(44, 60)
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 89))
		memory := testmem.Between(t, 1<<16)
		check := func(data []byte) {
			t.Helper()
			for _, placed := range [][]byte{memory[:len(data):len(data)], memory[len(memory)-len(data):]} {
				copy(placed, data)
				checkUsualLegacy(t, placed, hashes)
			}
		}
		for n := range 6 * asm.BlockBytes { // random bytes, also in the trailer
			check(randomBody(r, n))
		}
		step := uint32(1)
		if slow {
			step = 13
		}
		for lines := uint32(0); lines < 100; lines += step {
			data := legacyData(r, int(lines)*asm.BlockBytes, 0, lines)
			for k := range 256 {
				data[len(data)-5] = byte(k)
				check(data)
				if k%41 != 6 {
					continue
				}
				for _, n := range []int{1, 4, 5, 6, 63, 64, 65} {
					check(data[:max(0, len(data)-n)])
					check(append(data[:len(data):len(data)], make([]byte, n)...))
				}
				for bit := range 40 { // of the trailer
					data[len(data)-1-bit/8] ^= 1 << (bit % 8)
					check(data)
					data[len(data)-1-bit/8] ^= 1 << (bit % 8)
				}
			}
		}
		for size := 1; size <= 1<<14; size *= 2 { // lines that are no blocks, or none
			for _, lines := range []uint32{1, 3, 1 << 26, 1<<26 + 1, 1 << 31, 1<<32 - 1} {
				check(legacyData(r, int(min(uint64(size)*uint64(lines), 1<<15)), 6, lines))
			}
		}
	})
}

// legacyData returns a random body with a trailer.
func legacyData(r *rand.Rand, size int, probes byte, lines uint32) []byte {
	body := bytes.Repeat([]byte{0xff}, size)
	for range size {
		body[r.IntN(size)] = byte(r.Uint32())
	}
	return binary.LittleEndian.AppendUint32(append(body, probes), lines)
}

func checkUsualLegacy(t *testing.T, data []byte, hashes []uint64) {
	t.Helper()
	usual := false
	var body []byte
	var lines uint32
	var probes int
	if n := len(data) - 5; n > 0 {
		body, probes, lines = data[:n], int(data[n]), binary.LittleEndian.Uint32(data[n+1:])
		usual = lines > 0 && uint64(n) == uint64(lines)*asm.BlockBytes && probes >= 1 && probes <= asm.MaxProbes
	}
	others := 0
	other := func(other []byte, _ uint64) bool {
		others++
		return len(other) == len(data)
	}
	mayContain := asm.LegacyMayContain(data, hashes[0], other)
	if _, ok := asm.UsualLegacy(data); ok != usual || (others == 0) != usual || !usual && !mayContain {
		t.Fatalf("%d bytes, %d lines, k=%d: usual is not %v", len(data), lines, probes, usual)
	}
	if !usual {
		return
	}
	prepared := asm.NewLegacy(body, lines, probes)
	for _, hash := range hashes {
		want := fallback.LegacyContains(body, lines, probes, hash)
		if asm.LegacyMayContain(data, hash, other) != want || prepared.Contains(hash) != want || naive.LegacyReads(data, uint32(hash)) != want {
			t.Fatalf("%d bytes, %d lines, k=%d, hash %#x: not %v", len(data), lines, probes, hash, want)
		}
	}
}
