module github.com/simdbloom/simdbloom/bench

go 1.26.0

require github.com/simdbloom/simdbloom v0.0.0

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/simdbloom/simdbloom => ../
