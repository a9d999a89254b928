// Package tables has the work of loops over the filters of tables besides looking up. It is
// used by benchmarks only.
package tables

// Next is the number of the filter after that one.
func Next(at int, filters [][]byte) int {
	if at++; at == len(filters) {
		at = 0
	}
	return at
}

// One is 1 for a hit, without a branch.
func One(hit bool) int {
	if hit {
		return 1
	}
	return 0
}

// Read stands for what a database does when a filter answers that a table may contain a
// key. It is a call, so that the compiler cannot remove the branch to it. It returns 1.
//
//go:noinline
func Read() int { return 1 }
