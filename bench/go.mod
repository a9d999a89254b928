module github.com/simdbloom/simdbloom/bench

go 1.26.0

require (
	github.com/schollz/progressbar/v3 v3.19.1
	github.com/simdbloom/simdbloom v0.0.0
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.47.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
)

replace github.com/simdbloom/simdbloom => ../
