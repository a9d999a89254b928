module github.com/simdbloom/simdbloom/internal/test/rocksdb

go 1.26.0

require (
	github.com/simdbloom/simdbloom v0.1.0
	github.com/simdbloom/simdbloom/table v0.1.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/klauspost/compress v1.17.11 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/minio/minlz v1.0.1-0.20250507153514-87eb42fe8882 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace (
	github.com/simdbloom/simdbloom => ../../..
	github.com/simdbloom/simdbloom/table => ../../../table
)
