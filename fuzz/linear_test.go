package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// FuzzLinear solves a line for arbitrary hashes, of a layer with arbitrarily many lines,
// and looks arbitrary hashes up in arbitrary lines. Both are as package naive does it. It
// also solves lines with every level's kernels.
func FuzzLinear(f *testing.F) {
	f.Add(byte(7), uint32(1), []byte("a hash, one more and more"), []byte("a line"))
	f.Add(byte(21), uint32(1<<31), []byte("12345678abcdefgh12345678"), make([]byte, 64))
	f.Add(byte(9), uint32(1000), make([]byte, 800), []byte{0xff})
	var solver fallback.LinearSolver
	var kernels asm.LinearSolver
	f.Fuzz(func(t *testing.T, r byte, lines uint32, data, content []byte) {
		bits := int(r % (fallback.MostLinearBits + 1))
		if fallback.LinearSlotsOf(bits) == 0 || lines == 0 {
			return
		}
		all := hashesIn(data)
		checkLinearLine(t, &solver, bits, lines, all)
		checkLinearKernels(t, &kernels, &solver, bits, lines, all[:min(len(all), 2000)])
		body := make([]byte, 8*fallback.BlockBytes)
		for i := range body {
			if len(content) > 0 {
				body[i] = content[i%len(content)]
			}
		}
		for _, layers := range [][]uint32{nil, {1}, {8}, {5, 2, 1}, {1, 1, 1, 1, 1, 1, 1, 1}} {
			hits := make([]uint64, (len(all)+63)/64)
			fallback.LinearContainsBatch(body, layers, bits, all, hits)
			for i, hash := range all {
				want := naive.LinearContains(body, layers, bits, hash)
				if fallback.LinearContains(body, layers, bits, hash) != want || hits[i/64]>>(i%64)&1 != 0 != want {
					t.Fatalf("R=%d, layers %d: hash %#x: want %v", bits, layers, hash, want)
				}
			}
		}
	})
}

// checkLinearLine solves the line of the first hash, with those of the others that are in
// it, too.
func checkLinearLine(t *testing.T, solver *fallback.LinearSolver, r int, lines uint32, all []uint64) {
	var hashes []uint64
	for _, hash := range all[:min(len(all), 1000)] {
		first, _ := fallback.LinearPlace(all[0], lines)
		if line, _ := fallback.LinearPlace(hash, lines); line == first {
			hashes = append(hashes, hash)
		}
	}
	original := slices.Clone(hashes)
	var line [fallback.BlockBytes]byte
	threshold := fallback.LinearSolve(solver, line[:], r, lines, hashes)
	if want := naive.LinearLine(r, uint64(lines), hashes); line != want || threshold != want[63]>>2 {
		t.Fatalf("R=%d, %d lines, hashes %#x: line %x, want %x", r, lines, hashes, line, want)
	}
	if !slices.Equal(hashes, original) {
		t.Fatal("the hashes have changed")
	}
}

// checkLinearKernels solves lines of none of the hashes, the next eight, 16, 24 … with the
// kernels.
func checkLinearKernels(t *testing.T, kernels *asm.LinearSolver, solver *fallback.LinearSolver, r int, lines uint32, hashes []uint64) {
	var ends []int
	var want []byte
	for end := 0; len(ends) == 0 || end < len(hashes); {
		from := end
		end = min(end+8*len(ends), len(hashes))
		ends = append(ends, end)
		want = append(want, make([]byte, fallback.BlockBytes)...)
		fallback.LinearSolve(solver, want[len(want)-fallback.BlockBytes:], r, lines, hashes[from:end])
	}
	for _, level := range levels() {
		restore := cpu.Limit(level)
		got := make([]byte, len(want))
		asm.LinearSolveLines(kernels, got, r, lines, ends, hashes)
		restore()
		if !bytes.Equal(got, want) {
			t.Fatalf("R=%d, %d lines, hashes %#x, level %v: lines %x, want %x", r, lines, hashes, level, got, want)
		}
	}
}
