package digests

import (
	"fmt"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

// kind is a filter that is built and queried.
type kind struct {
	name       string
	probes     string // the name of its table of numbers of probes in package vectors
	newBuilder func(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error)
	open       func(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error)
	options    []simdbloom.Option
	bits       []float64 // per key
}

var (
	kinds = []kind{
		{"FastLocal", "rocksdb_fastlocal", bloom.NewBuilder, bloom.Open, nil, someBits},
		{"Paired-32", "speedb_paired_b32", paired.NewBuilder, paired.Open, []simdbloom.Option{paired.WithBatchBlocks(32)}, someBits},
		{"Paired-128", "speedb_paired_b128", paired.NewBuilder, paired.Open, []simdbloom.Option{paired.WithBatchBlocks(128)}, someBits},
		{"Paired-32 rounded down", "", paired.NewBuilder, paired.Open, []simdbloom.Option{paired.WithBatchBlocks(32), building.WithRoundDown}, []float64{10}},
		{"Paired in any batches", "", paired.NewBuilder, paired.Open, nil, []float64{10}},
		{"Linear", "", linear.NewBuilder, linear.Open, nil, linearBits},
		{"Ribbon", "", ribbon.NewBuilder, ribbon.Open, nil, ribbonBits},
		{"SplitBlock", "", splitblock.NewBuilder, splitblock.Open, nil, someBits},
		{"Blobloom", "", blobloom.NewBuilder, blobloom.Open, nil, someBits},
	}
	levelDB = kind{"LevelDB", "", leveldb.NewBuilder, leveldb.Open, nil, nil}
	rocksDB = kind{"Legacy", "", legacy.NewBuilder, legacy.Open, nil, nil}
	pebble  = kind{"Legacy", "", legacy.NewBuilder, legacy.Open, []simdbloom.Option{legacy.WithPebble()}, nil}
)

// someBits are bits per key of formats whose other numbers of probes have tables in package vectors.
var someBits = []float64{3, 10, 23.4, 40}

// linearBits are bits per key for every length of a fingerprint.
var linearBits = []float64{
	3, 7.5, 8.7, 9.8, 10.9, 12.1, 12.9, 14.2, 15.3, 16.4, 17.5, 18.7, 20, 21.2, 22.3, 22.8, 23.9, 25.2, 26.2, 27.5, 29, 31, 33, 35.5, 40,
}

// ribbonBits are bits per key for several numbers of columns, from 1 to 32.
var ribbonBits = []float64{1, 3, 6.5, 10, 14, 18.3, 23.4, 30, 41, 53, 62, 100}

// kernelsOf returns the kernels of all formats that have the given number of probes.
func kernelsOf(k int) []kernels {
	every := []kernels{fastLocal(k), legacyLines(k)}
	if k > 1 {
		every = append(every, pairs(32, k), pairs(128, k))
	}
	if k == splitBlocks().probes {
		every = append(every, splitBlocks())
	}
	if slices.Contains([]int{1, 6, 8, 11, 16, 23, 30}, k) {
		every = append(every, blobloomBlocks(k))
	}
	return every
}

// largeKernels returns those that are also queried in large filters.
func largeKernels() []kernels {
	return []kernels{fastLocal(6), fastLocal(16), pairs(32, 10), pairs(128, 16), legacyLines(6), legacyLines(16), splitBlocks(), blobloomBlocks(7)}
}

func fastLocal(k int) kernels {
	return kernels{
		fmt.Sprintf("FastLocal kernels, %d probes", k), 1, k,
		func(body []byte, hash uint64) bool {
			kernel := asm.NewFastLocal(body, k)
			return kernel.Contains(hash)
		},
		func(body []byte) asm.Kernel { return asm.NewFastLocal(body, k) },
		func(body []byte, hashes []uint64) { asm.FastLocalAdd(body, k, hashes) },
	}
}

func pairs(batch, k int) kernels {
	return kernels{
		fmt.Sprintf("Paired-%d kernels, %d probes", batch, k), batch, k,
		func(body []byte, hash uint64) bool {
			kernel := asm.NewPaired(body, batch, k)
			return kernel.Contains(hash)
		},
		func(body []byte) asm.Kernel { return asm.NewPaired(body, batch, k) },
		func(body []byte, hashes []uint64) { asm.PairedAdd(body, batch, k, hashes) },
	}
}

// legacyLines looks up the low halves of hashes. Up to 30 probes have kernels.
func legacyLines(k int) kernels {
	lines := func(body []byte) uint32 { return uint32(len(body) / asm.BlockBytes) }
	of := func(body []byte) asm.Kernel { return asm.NewLegacy(body, lines(body), k) }
	return kernels{
		fmt.Sprintf("Legacy kernels, %d probes", k), 1, k,
		func(body []byte, hash uint64) bool {
			kernel := of(body)
			return kernel.Contains(hash)
		},
		of,
		func(body []byte, hashes []uint64) { asm.LegacyAdd(body, lines(body), k, hashes) },
	}
}

// splitBlocks has even numbers of split blocks.
func splitBlocks() kernels {
	return kernels{
		"SplitBlock kernels", 1, 8,
		func(body []byte, hash uint64) bool {
			kernel := asm.NewSplitBlock(body)
			return kernel.Contains(hash)
		},
		asm.NewSplitBlock,
		func(body []byte, hashes []uint64) { asm.SplitBlockAdd(body, hashes, false) },
	}
}

// blobloomBlocks has one of each class of probes.
func blobloomBlocks(probes int) kernels {
	return kernels{
		fmt.Sprintf("Blobloom kernels, %d probes", probes), 1, probes,
		func(body []byte, hash uint64) bool {
			kernel := asm.NewBlobloom(body, probes)
			return kernel.Contains(hash)
		},
		func(body []byte) asm.Kernel { return asm.NewBlobloom(body, probes) },
		func(body []byte, hashes []uint64) { asm.BlobloomAdd(body, probes, hashes) },
	}
}
