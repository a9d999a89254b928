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

// FuzzLinear solves a line for arbitrary hashes, of a section with any multiplier,
// and looks arbitrary hashes up in arbitrary lines. Both are as package naive does it. It
// also solves lines with every level's kernels.
func FuzzLinear(f *testing.F) {
	f.Add(byte(7), uint32(1), []byte("a hash, one more and more"), []byte("a line"))
	f.Add(byte(21), uint32(1<<31), []byte("12345678abcdefgh12345678"), make([]byte, 64))
	f.Add(byte(9), uint32(1000), make([]byte, 800), []byte{0xff})
	var solver fallback.LinearSolver
	var kernels asm.LinearSolver
	f.Fuzz(func(t *testing.T, r byte, multiplier uint32, data, content []byte) {
		bits := int(r % (fallback.MostLinearBits + 1))
		if fallback.LinearSlotsOf(bits) == 0 || multiplier == 0 {
			return
		}
		all := hashesIn(data)
		checkLinearLine(t, &solver, bits, multiplier, all)
		checkLinearKernels(t, &kernels, &solver, bits, multiplier, all[:min(len(all), 2000)])
		body := make([]byte, 8*(fallback.BlockBytes+1))
		for i := range body {
			if len(content) > 0 {
				body[i] = content[i%len(content)]
			}
		}
		for _, of := range [][][2]uint32{nil, {{0, 1}}, {{0, 8}}, {{7, 4}}, {{4, 4}, {0, 1}, {1, 1}}, {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}} {
			cut := 0
			if bits < fallback.MostLinearBits && len(of) > 0 {
				cut = int(multiplier%63) + 1
			}
			checkLinearLookups(t, naive.LinearFilter{R: bits, J: cut, Multipliers: of}, body, all)
		}
	})
}

// FuzzLinearKernels does what FuzzFastLocalKernels does for linear filters, of any layers, with any bytes as lines and
// headers. Their builder's kernels are FuzzLinear's.
func FuzzLinearKernels(f *testing.F) {
	addKernels(f, [][]byte{nil, {0xff}, []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff"), []byte("some bytes")})
	all, p := levels(), newPlaces(f)
	f.Fuzz(func(t *testing.T, level, bits, lines, place byte, piece, queried []byte, more uint16) {
		defer cpu.Limit(all[int(level)%len(all)])()
		sections, cut := [][2]uint32{{0, 1 + uint32(lines)}}, 0
		for i := range int(level) / len(all) % 4 { // smaller layers behind the first
			sections = append(sections, [2]uint32{0, 1 + uint32(lines)>>(2+i)})
		}
		if cut = int(place) % 64; cut > 0 {
			for i := range sections {
				sections[i][0] = sections[i][1] * uint32(more%3)
			}
		}
		layers, ok := fallback.NewLinearLayers(sections, cut, int(bits)%(fallback.MostLinearBits+1))
		size := int(layers.NumLines()) * (fallback.BlockBytes + 1)
		if !ok || size > len(p.body)-127 {
			return
		}
		body, hashes := p.put(size, place, piece, queried, more)
		p.checkLookups(t, kernels{
			contains: func(body []byte, hash uint64) bool {
				prepared := asm.NewLinear(body, layers)
				return prepared.Contains(hash)
			},
			truth: func(body []byte, hash uint64) bool { return fallback.LinearContains(body, &layers, hash) },
			of:    func(body []byte) asm.Kernel { return asm.NewLinear(body, layers) },
		}, body, hashes, place)
	})
}

// checkLinearLookups looks hashes up in a filter of the given layers, if the format has them, and bytes.
func checkLinearLookups(t *testing.T, of naive.LinearFilter, body []byte, hashes []uint64) {
	layers, ok := fallback.NewLinearLayers(of.Multipliers, of.J, of.R)
	if !ok {
		return
	}
	lines := layers.NumLines()
	body = body[:lines*(fallback.BlockBytes+1)]
	of.Lines, of.Headers = body[:lines*fallback.BlockBytes], body[lines*fallback.BlockBytes:]
	hits := make([]uint64, (len(hashes)+63)/64)
	fallback.LinearContainsBatch(body, &layers, hashes, hits)
	for i, hash := range hashes {
		want := of.Contains(hash)
		if fallback.LinearContains(body, &layers, hash) != want || hits[i/64]>>(i%64)&1 != 0 != want {
			t.Fatalf("R=%d, j=%d, layers %d: hash %#x: want %v", of.R, of.J, of.Multipliers, hash, want)
		}
	}
}

// checkLinearLine solves the line of the first hash, with those of the others that are in
// it, too.
func checkLinearLine(t *testing.T, solver *fallback.LinearSolver, r int, multiplier uint32, all []uint64) {
	var hashes []uint64
	for _, hash := range all[:min(len(all), 1000)] {
		first, _ := fallback.LinearPlace(all[0], multiplier)
		if line, _ := fallback.LinearPlace(hash, multiplier); line == first {
			hashes = append(hashes, hash)
		}
	}
	original := slices.Clone(hashes)
	var line [fallback.BlockBytes]byte
	header := fallback.LinearSolve(solver, line[:], r, multiplier, hashes)
	if want, wantHeader := naive.LinearLine(r, uint64(multiplier), hashes); line != want || header != wantHeader {
		t.Fatalf("R=%d, multiplier %d, hashes %#x: line %x, header %x, want %x, %x", r, multiplier, hashes, line, header, want, wantHeader)
	}
	if !slices.Equal(hashes, original) {
		t.Fatal("the hashes have changed")
	}
}

// checkLinearKernels solves lines of none of the hashes, the next eight, 16, 24 … with the
// kernels.
func checkLinearKernels(t *testing.T, kernels *asm.LinearSolver, solver *fallback.LinearSolver, r int, multiplier uint32, hashes []uint64) {
	var ends []int
	var want, wantHeaders []byte
	for end := 0; len(ends) == 0 || end < len(hashes); {
		from := end
		end = min(end+8*len(ends), len(hashes))
		ends = append(ends, end)
		want = append(want, make([]byte, fallback.BlockBytes)...)
		wantHeaders = append(wantHeaders, fallback.LinearSolve(solver, want[len(want)-fallback.BlockBytes:], r, multiplier, hashes[from:end]))
	}
	for _, level := range levels() {
		restore := cpu.Limit(level)
		got, headers := make([]byte, len(want)), make([]byte, len(wantHeaders))
		asm.LinearSolveLines(kernels, got, headers, r, multiplier, ends, hashes)
		restore()
		if !bytes.Equal(got, want) || !bytes.Equal(headers, wantHeaders) {
			t.Fatalf("R=%d, multiplier %d, hashes %#x, level %v: lines %x, headers %x, want %x, %x", r, multiplier, hashes, level, got, headers, want, wantHeaders)
		}
	}
}
