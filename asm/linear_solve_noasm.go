//go:build !amd64 || purego

package asm

type solverKernel struct{}

// LinearSolveLines is LinearSolve of neighbouring lines, the first of which is body's first.
// The hashes of line i end at ends[i], and begin where those of the line before it end.
func LinearSolveLines(solver *LinearSolver, body []byte, r int, lines uint32, ends []int, hashes []uint64) {
	checkLines(body, r, lines, ends, hashes)
	solveEach(solver, body, r, lines, ends, hashes)
}
