// Package dcso compares package dcso of the library with the original, DCSO/bloom. It has tests and benchmarks
// only.
package dcso
