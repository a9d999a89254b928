module github.com/simdbloom/simdbloom/table

go 1.24.0

require (
	github.com/cespare/xxhash/v2 v2.2.0
	github.com/klauspost/compress v1.17.11
	github.com/minio/minlz v1.0.1-0.20250507153514-87eb42fe8882
	github.com/simdbloom/simdbloom v0.1.0
	github.com/zeebo/xxh3 v1.1.0
)

require (
	github.com/klauspost/cpuid/v2 v2.2.11 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
