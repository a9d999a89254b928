package asm_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/vectors"
)

func TestMisusePanics(t *testing.T) { eachLevel(t, testMisuse) }

func testMisuse(t *testing.T) {
	body, hashes := make([]byte, 8192), []uint64{1, 2}
	for i := range body {
		body[i] = 0xff // every answer would be yes
	}
	hits, counts := []uint64{0}, make([]uint16, 128)
	for name, misuse := range map[string]func(){
		"no body":              func() { asm.FastLocalContains(nil, 6, 1) },
		"part of a block":      func() { asm.FastLocalContains(body[:100], 6, 1) },
		"no probes":            func() { asm.FastLocalContains(body, 0, 1) },
		"negative probes":      func() { asm.FastLocalContains(body, -1, 1) },
		"31 probes":            func() { asm.FastLocalContains(body, 31, 1) },
		"few keys, no answers": func() { asm.FastLocalContainsBatch(nil, body, 6, make([]uint64, 40)) },
		"few keys, few bools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(make([]bool, 39), make([]uint64, 40))
		},
		"many keys, few bools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(make([]bool, 99), make([]uint64, 100))
		},
		"more bools than bits": func() { asm.Expand(make([]bool, 65), hits) },
		"the zero filter": func() {
			var f asm.FastLocal
			f.Contains(1)
		},
		"the zero filter, few keys": func() {
			var f asm.FastLocal
			f.ContainsBatch(hits, make([]uint64, 40))
		},
		"no answers":               func() { asm.FastLocalContainsBatch(nil, body, 6, hashes) },
		"too few answers":          func() { asm.FastLocalContainsBatch(hits, body, 6, make([]uint64, 65)) },
		"batch without body":       func() { asm.FastLocalContainsBatch(hits, nil, 6, hashes) },
		"add without body":         func() { asm.FastLocalAdd(nil, 6, hashes) },
		"add 31 probes":            func() { asm.FastLocalAdd(body, 31, hashes) },
		"paired, no body":          func() { asm.PairedContains(nil, 128, 6, 1) },
		"part of a batch":          func() { asm.PairedContains(body[:8128], 128, 6, 1) },
		"one probe":                func() { asm.PairedContains(body, 128, 1, 1) },
		"paired, 31 probes":        func() { asm.PairedContains(body, 128, 31, 1) },
		"batches of 64":            func() { asm.PairedContains(body, 64, 6, 1) },
		"batches of none":          func() { asm.PairedContains(body, 0, 6, 1) },
		"paired, few answers":      func() { asm.PairedContainsBatch(nil, body, 32, 6, hashes) },
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
		if hits[0] != 0 {
			t.Errorf("%s: something was written before the panic", name)
		}
	}
}

func TestKernelsAllocateNothing(t *testing.T) { eachLevel(t, testAllocations) }

func testAllocations(t *testing.T) {
	body, hashes, hits := make([]byte, 8192), vectors.Hashes(1, 300), make([]uint64, 5)
	counts := make([]uint16, 128)
	for name, kernel := range map[string]func(){
		"FastLocalContains":      func() { asm.FastLocalContains(body, 6, 1) },
		"FastLocalContainsBatch": func() { asm.FastLocalContainsBatch(hits, body, 6, hashes) },
		"FastLocalAdd":           func() { asm.FastLocalAdd(body, 6, hashes) },
		"PairedContains":         func() { asm.PairedContains(body, 128, 6, 1) },
		"PairedContainsBatch":    func() { asm.PairedContainsBatch(hits, body, 128, 6, hashes) },
		"PairedCount":            func() { asm.PairedCount(counts, 0, 128, hashes) },
		"PairedSetPairs":         func() { asm.PairedSetPairs(body, 128, counts) },
		"PairedAdd":              func() { asm.PairedAdd(body, 128, 6, hashes) },
	} {
		if allocs := testing.AllocsPerRun(10, kernel); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
