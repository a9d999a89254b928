package asm

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// NewLinear prepares a linear filter, whose body is lines and their headers. Without layers it
// contains nothing. It panics if the body has another size than the layers.
func NewLinear(body []byte, layers fallback.LinearLayers) Kernel {
	if uint64(len(body)) != uint64(layers.NumLines())*linearLineBytes {
		panic(fmt.Sprintf("asm: len(body) is %d, but there are %d lines", len(body), layers.NumLines()))
	}
	own, functions := &linearFilter{layers: layers}, &linearFunctions
	k := Kernel{body: body, format: Linear, own: unsafe.Pointer(own)}
	if layers.Number() > 0 {
		k.form = formOf(1)
		own.lines, own.headers, own.sums = &body[0], &body[layers.NumLines()*BlockBytes], mostSumsIn(&layers)
		own.shapes = [2]*linearShape{linearShapeOf(layers.Bits(0)), linearShapeOf(layers.Bits(1))}
		own.start = newLinearStart(&layers)
		if !isFar(body) && own.findMains() {
			functions = &linearNearFunctions
		}
		first := own.start.layers[0]
		*(*linearFirst)(unsafe.Pointer(&k.eight)) = linearFirst{first.multipliers, first.cuts[1]}
		k.fewMax = fewMaxInLayers(k.form, body)
		for i := range own.shapes {
			_, slots := fallback.LinearLine(layers.Bits(i))
			own.tail, own.tailWords = max(own.tail, slots), max(own.tailWords, (slots*layers.Bits(i)+63)/64)
		}
	}
	k.oneByOneMax = oneByOneMaxOf(Linear, k.form, body)
	k.use(functions)
	return k
}

// linearFirst is the part of the first layer for which a lookup of one key waits first. It takes the place of other
// formats' first multipliers: behind another pointer, it takes 5 % longer (Emerald Rapids).
type linearFirst struct {
	multipliers [2]uint64
	cut         uint64 // of the second section
}

// linearFilter has the fields of a Linear filter that are not in Kernel. Kernels for batches read only this.
type linearFilter struct {
	lines   *byte // the body
	headers *byte // behind the lines

	// For one key in near bodies: the shape of main sections, and what findMains finds.
	mainShape  *linearShape
	thresholds *[256]uint64
	mains      [2]linearMain

	start     linearStart
	shapes    [2]*linearShape // of first and second sections; nil without kernels
	sums      int             // the most words of a line that have its tail
	tail      int             // the most slots in a tail
	tailWords int             // how many last words of a line have them
	layers    fallback.LinearLayers
}

func (k *Kernel) linear() *linearFilter { return (*linearFilter)(k.own) }

// linearLineBytes is the size of a line and its header.
const linearLineBytes = BlockBytes + 1

// mostSumsIn returns the most sums that a tail has in any section.
func mostSumsIn(layers *fallback.LinearLayers) int {
	most := linearSumsOf(layers.Bits(1)).used
	for layer := range layers.Number() {
		if _, lines, _ := layers.Section(layer, 0); lines > 0 {
			return max(most, linearSumsOf(layers.Bits(0)).used)
		}
	}
	return most
}

func linearContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	found = fallback.LinearContains(k.body, &k.linear().layers, hash)
	runtime.KeepAlive(k)
	return 0, found
}

func linearBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.LinearContainsBatch(k.body, &k.linear().layers, hashes, hits)
	runtime.KeepAlive(k)
}

// LinearSolver is the memory of LinearSolveLines. The zero LinearSolver is ready for use.
type LinearSolver struct {
	fallback fallback.LinearSolver
	kernel   solverKernel
}

// LinearSolveLines is [fallback.LinearSolve] of neighbouring lines of a section with the given multiplier,
// the first of which is lines' first. The hashes of line i end at ends[i], and begin where those
// of the line before it end.
func LinearSolveLines(solver *LinearSolver, lines, headers []byte, r int, multiplier uint32, ends []int, hashes []uint64) {
	checkLines(lines, headers, r, multiplier, ends, hashes)
	if solver.kernel.solveLines(&solver.fallback, lines, headers, r, multiplier, ends, hashes) {
		return
	}
	from := 0
	for i, to := range ends {
		headers[i] = fallback.LinearSolve(&solver.fallback, lines[i*BlockBytes:][:BlockBytes], r, multiplier, hashes[from:to])
		from = to
	}
}

// LinearBumped is [fallback.LinearBumped]. It panics where the headers, the ends and the hashes are
// not those of the same lines.
func LinearBumped(dst []uint64, headers []byte, multiplier uint32, ends []int, hashes []uint64) int {
	if len(headers) != len(ends) || len(ends) > 0 && ends[len(ends)-1] != len(hashes) || len(dst) < len(hashes) {
		panic(fmt.Sprintf("asm: %d headers and %d ends, or room for %d out of %d hashes", len(headers), len(ends), len(dst), len(hashes)))
	}
	return linearBumped(dst, headers, multiplier, ends, hashes)
}

func checkLines(lines, headers []byte, r int, multiplier uint32, ends []int, hashes []uint64) {
	if len(lines) != len(ends)*BlockBytes || len(headers) != len(ends) || fallback.LinearSlotsOf(r) == 0 || multiplier == 0 ||
		len(ends) > 0 && ends[len(ends)-1] != len(hashes) {
		panic(fmt.Sprintf("asm: %d bytes and %d headers for %d lines with fingerprints of %d bits", len(lines), len(headers), len(ends), r))
	}
}
