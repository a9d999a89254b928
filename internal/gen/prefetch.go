package main

import (
	. "github.com/mmcloughlin/avo/operand"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A hint prefetches a filter's line.
type hint func(fn *kernel.Function, line Op)

// The hints of lookups and of adding. Lines that may come from memory go to the second-level cache,
// which takes more of them at once than the first. Lines that a cache has by then go to the first.
//
// Measured on Zen 4 (L2 1 MiB, L3 32 MiB) in huge pages, batches, ns a key, with each hint for the
// lines that fromMemory prefetches now, and without:
//
//	                                         T0     T1     T2    NTA   none
//	FastLocal, AVX-512, k=6, absent, 8 MiB   1.3    1.3    1.3   1.3    2.5
//	                                32 MiB   3.4    2.6    2.6   3.3    9.6
//	                               128 MiB   7.3    3.8    3.7   7.4   12.2
//	Mutable, AVX-512, k=6,  adding, 32 MiB   5.7    4.6    4.5   5.8
//	                               256 MiB   9.4    6.9    6.9   9.3
//	Paired, AVX-512, k=16, present,  1 MiB   3.3    3.3    3.3   3.3
//	  (the second block's lines)     8 MiB   5.9    5.8    5.9   5.9
//	                                32 MiB  12.4    8.3    8.4  12.0
//	                                 1 GiB  20.0   14.7   13.2
//	Paired, AVX2, k=16, present,     1 MiB   4.8    4.9    4.9   4.9
//	                                32 MiB  14.0    9.6    9.6  14.1
//	Ribbon, AVX-512, 15 columns,     2 MiB  11.5   11.0
//	  present                       32 MiB  42     25
//	                               128 MiB  69     42     42
//	Ribbon, AVX2, 15 columns,        2 MiB  13.9   13.0                14.8
//	  present                       32 MiB  48     27
//	AppendFilters, 64 of 1 MiB, a filter      26     12     12    26
//
// Ordinary pages have the same order. So T1 and T2 are the same, and T0 takes as long as NTA.
// Where the order is not random, as with hashes and lists, no hint is better than another.
// The kernels for NEON prefetch to the first-level cache, which was not measured.
var (
	fromMemory hint = (*kernel.Function).PREFETCHT1
	fromCache  hint = (*kernel.Function).PREFETCHT0
)
