// Package bitsandblooms compares package bitsandblooms of the library with the original, bits-and-blooms/bloom. It
// has tests and benchmarks only.
package bitsandblooms
