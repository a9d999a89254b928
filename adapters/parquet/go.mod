module github.com/simdbloom/simdbloom/adapters/parquet

go 1.24.0

require github.com/simdbloom/simdbloom v0.1.0

require (
	github.com/cespare/xxhash/v2 v2.2.0 // indirect
	github.com/klauspost/cpuid/v2 v2.2.11 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
