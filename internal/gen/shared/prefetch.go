package shared

import (
	. "github.com/mmcloughlin/avo/operand"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A Hint prefetches a filter's line.
type Hint func(fn *kernel.Function, line Op)

// The hints of lookups and of adding. Lines that may come from memory go to the second-level cache,
// which takes more of them at once than the first. Lines that a cache has by then go to the first.
//
// Measured in huge pages, batches, ns a key, with each hint for the lines that FromMemory prefetches now,
// and without: Zen 4 (L2 1 MiB, L3 32 MiB), and Sapphire Rapids (L2 2 MiB, L3 shared with busy neighbours,
// so the fastest of at least 21 passes):
//
//	                                            Zen 4                       Sapphire Rapids
//	                                         T0    T1    T2   NTA  none    T0    T1    T2   NTA
//	FastLocal, AVX-512, k=6, absent, 8 MiB  1.3   1.3   1.3   1.3   2.5   2.3   2.0   2.0   9.7
//	                                32 MiB  3.4   2.6   2.6   3.3   9.6   4.1   3.4   3.5  11.3
//	                               128 MiB  7.3   3.8   3.7   7.4  12.2   9.5   6.8   6.8  11.0
//	                                 1 GiB                               16.2  14.3  14.4  14.1
//	Mutable, AVX-512, k=6,  adding,  4 MiB                                2.2   2.3   2.3   2.2
//	                                32 MiB  5.7   4.6   4.5   5.8         4.8   4.8   4.6   5.1
//	                               128 MiB                               10.2   7.8   7.7   9.1
//	                               256 MiB  9.4   6.9   6.9   9.3
//	Mutable, AVX2,                   8 MiB                                4.7   5.0   5.0   4.7
//	                                32 MiB                                8.1   7.0   7.1   8.0
//	Paired, AVX-512, k=16, present,  1 MiB  3.3   3.3   3.3   3.3         2.8   2.8   2.8   2.8
//	  (the second block's lines)     8 MiB  5.9   5.8   5.9   5.9         6.2   5.9   6.0  29.3
//	                                32 MiB 12.4   8.3   8.4  12.0        11.5  11.1  12.1  35.5
//	                               128 MiB                               19.6  16.5  16.7  38.5
//	                                 1 GiB 20.0  14.7  13.2
//	Paired, AVX2, k=16, present,     1 MiB  4.8   4.9   4.9   4.9         5.7   5.7   5.7   5.7
//	                                32 MiB 14.0   9.6   9.6  14.1        13.9  13.7  13.6  49.2
//	Ribbon, AVX-512, 7 columns,      8 MiB                                8.4   9.2   9.2  16.9
//	  absent                        32 MiB                               13.3  16.8  16.5  48.0
//	Ribbon, AVX-512, 15 columns,     2 MiB 11.5  11.0                    11.0  11.1  11.3  11.4
//	  present                       32 MiB 42    25                      27.6  27.9  26.7 108
//	                               128 MiB 69    42    42                53.8  49.3  57.9 100
//	Ribbon, AVX2, 15 columns,        2 MiB 13.9  13.0        14.8        15.5  15.6  15.3  15.5
//	  present                       32 MiB 48    27                      32.8  32.0  33.8 110
//	AppendFilters, 64 of 1 MiB, a filter   26    12    12    26           7.6   7.6   8.1  14.3
//
// Ordinary pages have the same order. T1 and T2 are the same, but for noise. T0 takes as long as NTA on Zen 4. On
// Sapphire Rapids, it loses less, and NTA brings lines that are gone again when they are needed. T1 loses in two cases
// there: up to 6 % where Mutable's lines are in a cache, which would need a second kernel, and 9 to 30 % in Ribbon
// filters of 7 columns from 8 to 64 MiB. These take 15.1 at 32 MiB with both hints, as from a cache. Where the order is
// not random, as with hashes and lists, no hint is better than another.
//
// To measure it again, change the hint, "make generate", and compare these with what they were before:
//
//	go -C bench run ./compare -o compare.json -only=levels
//	go test -run=- -bench=Many ./bloom
//
// The kernels for NEON prefetch to the first-level cache, which was not measured.
var (
	FromMemory Hint = (*kernel.Function).PREFETCHT1
	FromCache  Hint = (*kernel.Function).PREFETCHT0
)

// AheadOfHashes is how many bytes ahead hashes in memory are prefetched. The processor
// does so by itself, but begins anew in each page, of which a segment has two.
const AheadOfHashes = 1536

// Soon is the distance of the second prefetch, in keys.
const Soon = 2 * Octet
