package asm_test

import (
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// fastLocalBits and pairedBits prepare a filter for one batch.

func fastLocalBits(body []byte, probes int, hashes, hits []uint64) {
	f := asm.NewFastLocal(body, probes)
	f.ContainsBits(hashes, hits)
}

func pairedBits(body []byte, batchBlocks, probes int, hashes, hits []uint64) {
	f := asm.NewPaired(body, batchBlocks, probes)
	f.ContainsBits(hashes, hits)
}

func legacyBits(body []byte, lines uint32, probes int, hashes []uint32, hits []uint64) {
	f := asm.NewLegacy(body, lines, probes)
	f.ContainsBits(hashes, hits)
}

func TestMisusePanics(t *testing.T) { eachLevel(t, testMisuse) }

func testMisuse(t *testing.T) {
	body, hashes := make([]byte, 8192), []uint64{1, 2}
	fill(body, 0xff) // every answer would be yes
	hits, bools, counts := []uint64{0}, make([]bool, 99), make([]uint16, 128)
	levelDB := asm.NewLevelDB(body, 6)
	var zeroFastLocal asm.FastLocal
	var zeroPaired asm.Paired
	var zeroLegacy asm.Legacy
	narrow := vectors.Narrowed(hashes)
	for name, misuse := range map[string]func(){
		"no body":              func() { asm.FastLocalContains(nil, 6, 1) },
		"part of a block":      func() { asm.FastLocalContains(body[:100], 6, 1) },
		"no probes":            func() { asm.FastLocalContains(body, 0, 1) },
		"negative probes":      func() { asm.FastLocalContains(body, -1, 1) },
		"31 probes":            func() { asm.FastLocalContains(body, 31, 1) },
		"few keys, no answers": func() { fastLocalBits(body, 6, make([]uint64, 40), nil) },
		"few keys, few bools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(make([]uint64, 40), bools[:39])
		},
		"many keys, few bools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(make([]uint64, 100), bools)
		},
		"the zero filter":                   func() { zeroFastLocal.Contains(1) },
		"the zero filter, few keys":         func() { zeroFastLocal.ContainsBits(make([]uint64, 40), hits) },
		"the zero filter, bools":            func() { zeroFastLocal.ContainsBools(make([]uint64, 99), bools) },
		"the zero paired filter":            func() { zeroPaired.Contains(1) },
		"the zero paired filter, few keys":  func() { zeroPaired.ContainsBits(make([]uint64, 40), hits) },
		"the zero paired filter, few bools": func() { zeroPaired.ContainsBools(make([]uint64, 7), bools) },
		"the zero paired filter, bools":     func() { zeroPaired.ContainsBools(make([]uint64, 99), bools) },
		"no answers":                        func() { fastLocalBits(body, 6, hashes, nil) },
		"too few answers":                   func() { fastLocalBits(body, 6, make([]uint64, 65), hits) },
		"batch without body":                func() { fastLocalBits(nil, 6, hashes, hits) },
		"the zero filter, add":              func() { zeroFastLocal.Add(1) },
		"the zero filter, add if absent":    func() { zeroFastLocal.AddIfAbsent(1) },
		"the zero filter, add all":          func() { zeroFastLocal.AddAll(hashes) },
		"the zero filter, add shared":       func() { zeroFastLocal.AddShared(1) },
		"the zero filter, absent shared":    func() { zeroFastLocal.AddIfAbsentShared(1) },
		"shared at no multiple of 8":        func() { asm.NewSharedFastLocal(body[1:65], 6) },
		"add without body":                  func() { asm.FastLocalAdd(nil, 6, hashes) },
		"add 31 probes":                     func() { asm.FastLocalAdd(body, 31, hashes) },
		"paired, no body":                   func() { asm.PairedContains(nil, 128, 6, 1) },
		"part of a batch":                   func() { asm.PairedContains(body[:8128], 128, 6, 1) },
		"one probe":                         func() { asm.PairedContains(body, 128, 1, 1) },
		"paired, 31 probes":                 func() { asm.PairedContains(body, 128, 31, 1) },
		"batches of 64":                     func() { asm.PairedContains(body, 64, 6, 1) },
		"batches of none":                   func() { asm.PairedContains(body, 0, 6, 1) },
		"paired, few answers":               func() { pairedBits(body, 32, 6, hashes, nil) },
		"paired, too few answers":           func() { pairedBits(body, 32, 6, make([]uint64, 65), hits) },
		"paired, seven answers":             func() { pairedBits(body, 128, 6, make([]uint64, 7), nil) },
		"paired, seven bools": func() {
			f := asm.NewPaired(body, 128, 6)
			f.ContainsBools(make([]uint64, 7), bools[:6])
		},
		"paired, many keys, few bools": func() {
			f := asm.NewPaired(body, 32, 30)
			f.ContainsBools(make([]uint64, 100), bools)
		},
		"LevelDB, no body":            func() { asm.NewLevelDB(nil, 6) },
		"LevelDB, 31 probes":          func() { asm.NewLevelDB(body, 31) },
		"LevelDB, query no body":      func() { asm.LevelDBContains(nil, 6, 1) },
		"LevelDB, negative probes":    func() { asm.LevelDBAdd(body, -1, nil) },
		"LevelDB, add to no body":     func() { asm.LevelDBAdd(nil, 6, nil) },
		"LevelDB, few answers":        func() { levelDB.ContainsBits(make([]uint32, 65), hits) },
		"LevelDB, few bools":          func() { levelDB.ContainsBools(make([]uint32, 100), bools) },
		"legacy, no body":             func() { asm.NewLegacy(nil, 1, 6) },
		"legacy, no lines":            func() { asm.NewLegacy(body, 0, 6) },
		"legacy, part of a line":      func() { asm.NewLegacy(body, 127, 6) },
		"legacy, lines of 192 bytes":  func() { asm.NewLegacy(body[:192], 1, 6) },
		"legacy, lines of no bytes":   func() { asm.NewLegacy(body, 8193, 6) },
		"legacy, no probes":           func() { asm.NewLegacy(body, 128, 0) },
		"legacy, 128 probes":          func() { asm.NewLegacy(body, 128, 128) },
		"legacy, negative probes":     func() { asm.NewLegacy(body, 128, -1) },
		"legacy, few answers":         func() { legacyBits(body, 128, 6, narrow, nil) },
		"legacy, too few answers":     func() { legacyBits(body, 128, 6, make([]uint32, 65), hits) },
		"legacy, pure Go, no answers": func() { legacyBits(body, 64, 6, narrow, nil) },
		"legacy, many, few answers":   func() { legacyBits(body, 128, 6, make([]uint32, 4097), make([]uint64, 64)) },
		"legacy, few bools": func() {
			f := asm.NewLegacy(body, 128, 6)
			f.ContainsBools(make([]uint32, 7), bools[:6])
		},
		"legacy, many keys, few bools": func() {
			f := asm.NewLegacy(body, 128, 6)
			f.ContainsBools(make([]uint32, 100), bools)
		},
		"legacy add, no lines":          func() { asm.LegacyAdd(body, 0, 6, narrow) },
		"legacy add, no probes":         func() { asm.LegacyAdd(body, 128, 0, narrow) },
		"the zero legacy filter":        func() { zeroLegacy.Contains(1) },
		"the zero legacy filter, bits":  func() { zeroLegacy.ContainsBits(narrow, hits) },
		"the zero legacy filter, bools": func() { zeroLegacy.ContainsBools(narrow, bools) },
		"paired batch, no body":         func() { pairedBits(nil, 128, 6, hashes, hits) },
		"paired batch, 31 probes":       func() { pairedBits(body, 128, 31, hashes, hits) },
		"part of a batch, many":         func() { pairedBits(body[:2112], 32, 6, hashes, hits) },
		"paired add, no body":           func() { asm.PairedAdd(nil, 128, 6, hashes) },
		"pairs, part":                   func() { asm.PairedSetPairs(body[:64], 128, counts[:1]) },
		"pairs, few counts":             func() { asm.PairedSetPairs(body, 128, counts[:127]) },
		"counts beyond the blocks":      func() { asm.PairedCount(counts, 1, 128, nil) },
		"another part's hash":           func() { asm.PairedCount(counts[:1], 127, 128, []uint64{0}) },
		"more blocks than fit":          func() { asm.PairedCount(counts, 0, 1<<26, hashes) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			misuse()
		}()
		if hits[0] != 0 || slices.Contains(bools, true) {
			t.Fatalf("%s: something was written before the panic", name)
		}
	}
}

func TestKernelsAllocateNothing(t *testing.T) { eachLevel(t, testAllocations) }

func testAllocations(t *testing.T) {
	body, hashes := make([]byte, 8192), vectors.Hashes(1, 300)
	hits, bools, counts := make([]uint64, 47), make([]bool, 3000), make([]uint16, 128)
	narrow := vectors.Narrowed(vectors.Hashes(2, 3000))
	trailed := append(slices.Clone(body), 6, 128, 0, 0, 0)
	columns := append(slices.Clone(body), 0xfe, 3, 64, 0, 0)
	fill(body, 0xff)
	for name, kernel := range map[string]func(){
		"FastLocalContains":      func() { asm.FastLocalContains(body, 6, 1) },
		"FastLocal.ContainsBits": func() { fastLocalBits(body, 6, hashes, hits) },
		"FastLocal.ContainsBools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(hashes, bools)
			f.ContainsBools(hashes[:7], bools)
		},
		"FastLocalAdd":        func() { asm.FastLocalAdd(body, 6, hashes) },
		"PairedContains":      func() { asm.PairedContains(body, 128, 6, 1) },
		"Paired.ContainsBits": func() { pairedBits(body, 128, 6, hashes, hits) },
		"Paired.ContainsBools": func() {
			f := asm.NewPaired(body, 128, 6)
			f.ContainsBools(hashes, bools)
			f.ContainsBools(hashes[:7], bools)
		},
		"UsualLegacy": func() { asm.UsualLegacy(trailed).Contains(1) },
		"Legacy.ContainsBits": func() {
			f := asm.NewLegacy(body, 128, 6)
			for _, n := range []int{20, 200, 3000} {
				f.ContainsBits(narrow[:n], hits)
			}
		},
		"Legacy.ContainsBools": func() {
			f := asm.NewLegacy(body, 128, 6)
			for _, n := range []int{7, 20, 200, 3000} {
				f.ContainsBools(narrow[:n], bools)
			}
		},
		"UsualRibbon": func() { asm.UsualRibbon(columns).Contains(1) },
		"Ribbon.ContainsBits": func() {
			f := asm.NewRibbon(body, 64, 3)
			for _, n := range []int{7, 20, 300} {
				f.ContainsBits(hashes[:n], hits)
			}
		},
		"Ribbon.ContainsBools": func() {
			f := asm.NewRibbon(body, 64, 3)
			f.ContainsBools(hashes, bools)
		},
		"LegacyAdd":      func() { asm.LegacyAdd(body, 128, 6, narrow) },
		"PairedCount":    func() { asm.PairedCount(counts, 0, 128, hashes) },
		"PairedSetPairs": func() { asm.PairedSetPairs(body, 128, counts) },
		"PairedAdd":      func() { asm.PairedAdd(body, 128, 6, hashes) },
	} {
		if allocs := testing.AllocsPerRun(10, kernel); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
