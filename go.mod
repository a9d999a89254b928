module github.com/simdbloom/simdbloom

go 1.24.0

// The lowest versions that work, so that users need not upgrade. "make test-oldest" tests them.
require (
	github.com/cespare/xxhash/v2 v2.2.0 // the first with assembly for arm64
	github.com/klauspost/cpuid/v2 v2.2.11 // earlier ones divide by zero at startup on some virtual machines (its issue 161)
	golang.org/x/sys v0.30.0 // required by cpuid; MADV_COLLAPSE needs v0.6.0
)
