package asm_test

import (
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/vectors"
)

func TestMisusePanics(t *testing.T) { eachLevel(t, testMisuse) }

func testMisuse(t *testing.T) {
	body, hashes := make([]byte, 8192), []uint64{1, 2}
	fill(body, 0xff) // every answer would be yes
	hits, bools, counts := []uint64{0}, make([]bool, 99), make([]uint16, 128)
	var zeroFastLocal asm.FastLocal
	var zeroPaired asm.Paired
	for name, misuse := range map[string]func(){
		"no body":              func() { asm.FastLocalContains(nil, 6, 1) },
		"part of a block":      func() { asm.FastLocalContains(body[:100], 6, 1) },
		"no probes":            func() { asm.FastLocalContains(body, 0, 1) },
		"negative probes":      func() { asm.FastLocalContains(body, -1, 1) },
		"31 probes":            func() { asm.FastLocalContains(body, 31, 1) },
		"few keys, no answers": func() { asm.FastLocalContainsBatch(nil, body, 6, make([]uint64, 40)) },
		"few keys, few bools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(bools[:39], make([]uint64, 40))
		},
		"many keys, few bools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(bools, make([]uint64, 100))
		},
		"more bools than bits":              func() { asm.Expand(make([]bool, 65), hits) },
		"the zero filter":                   func() { zeroFastLocal.Contains(1) },
		"the zero filter, few keys":         func() { zeroFastLocal.ContainsBatch(hits, make([]uint64, 40)) },
		"the zero filter, bools":            func() { zeroFastLocal.ContainsBools(bools, make([]uint64, 99)) },
		"the zero paired filter":            func() { zeroPaired.Contains(1) },
		"the zero paired filter, few keys":  func() { zeroPaired.ContainsBatch(hits, make([]uint64, 40)) },
		"the zero paired filter, few bools": func() { zeroPaired.ContainsBools(bools, make([]uint64, 7)) },
		"the zero paired filter, bools":     func() { zeroPaired.ContainsBools(bools, make([]uint64, 99)) },
		"no answers":                        func() { asm.FastLocalContainsBatch(nil, body, 6, hashes) },
		"too few answers":                   func() { asm.FastLocalContainsBatch(hits, body, 6, make([]uint64, 65)) },
		"batch without body":                func() { asm.FastLocalContainsBatch(hits, nil, 6, hashes) },
		"add without body":                  func() { asm.FastLocalAdd(nil, 6, hashes) },
		"add 31 probes":                     func() { asm.FastLocalAdd(body, 31, hashes) },
		"paired, no body":                   func() { asm.PairedContains(nil, 128, 6, 1) },
		"part of a batch":                   func() { asm.PairedContains(body[:8128], 128, 6, 1) },
		"one probe":                         func() { asm.PairedContains(body, 128, 1, 1) },
		"paired, 31 probes":                 func() { asm.PairedContains(body, 128, 31, 1) },
		"batches of 64":                     func() { asm.PairedContains(body, 64, 6, 1) },
		"batches of none":                   func() { asm.PairedContains(body, 0, 6, 1) },
		"paired, few answers":               func() { asm.PairedContainsBatch(nil, body, 32, 6, hashes) },
		"paired, too few answers":           func() { asm.PairedContainsBatch(hits, body, 32, 6, make([]uint64, 65)) },
		"paired, seven answers":             func() { asm.PairedContainsBatch(nil, body, 128, 6, make([]uint64, 7)) },
		"paired, seven bools": func() {
			f := asm.NewPaired(body, 128, 6)
			f.ContainsBools(bools[:6], make([]uint64, 7))
		},
		"paired, many keys, few bools": func() {
			f := asm.NewPaired(body, 32, 30)
			f.ContainsBools(bools, make([]uint64, 100))
		},
		"paired batch, no body":    func() { asm.PairedContainsBatch(hits, nil, 128, 6, hashes) },
		"paired batch, 31 probes":  func() { asm.PairedContainsBatch(hits, body, 128, 31, hashes) },
		"part of a batch, many":    func() { asm.PairedContainsBatch(hits, body[:2112], 32, 6, hashes) },
		"paired add, no body":      func() { asm.PairedAdd(nil, 128, 6, hashes) },
		"pairs, part":              func() { asm.PairedSetPairs(body[:64], 128, counts[:1]) },
		"pairs, few counts":        func() { asm.PairedSetPairs(body, 128, counts[:127]) },
		"counts beyond the blocks": func() { asm.PairedCount(counts, 1, 128, nil) },
		"another part's hash":      func() { asm.PairedCount(counts[:1], 127, 128, []uint64{0}) },
		"more blocks than fit":     func() { asm.PairedCount(counts, 0, 1<<26, hashes) },
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
	hits, bools, counts := make([]uint64, 5), make([]bool, 300), make([]uint16, 128)
	fill(body, 0xff)
	for name, kernel := range map[string]func(){
		"FastLocalContains":      func() { asm.FastLocalContains(body, 6, 1) },
		"FastLocalContainsBatch": func() { asm.FastLocalContainsBatch(hits, body, 6, hashes) },
		"FastLocal.ContainsBools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(bools, hashes)
			f.ContainsBools(bools, hashes[:7])
		},
		"FastLocalAdd":        func() { asm.FastLocalAdd(body, 6, hashes) },
		"PairedContains":      func() { asm.PairedContains(body, 128, 6, 1) },
		"PairedContainsBatch": func() { asm.PairedContainsBatch(hits, body, 128, 6, hashes) },
		"Paired.ContainsBools": func() {
			f := asm.NewPaired(body, 128, 6)
			f.ContainsBools(bools, hashes)
			f.ContainsBools(bools, hashes[:7])
		},
		"PairedCount":    func() { asm.PairedCount(counts, 0, 128, hashes) },
		"PairedSetPairs": func() { asm.PairedSetPairs(body, 128, counts) },
		"PairedAdd":      func() { asm.PairedAdd(body, 128, 6, hashes) },
	} {
		if allocs := testing.AllocsPerRun(10, kernel); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
