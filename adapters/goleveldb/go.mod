module github.com/simdbloom/simdbloom/adapters/goleveldb

go 1.24.0

require (
	github.com/simdbloom/simdbloom v0.1.0
	github.com/syndtr/goleveldb v1.0.1-0.20220721030215-126854af5e6d
)

require (
	github.com/cespare/xxhash/v2 v2.2.0 // indirect
	github.com/golang/snappy v0.0.4 // indirect
	github.com/klauspost/cpuid/v2 v2.2.11 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
