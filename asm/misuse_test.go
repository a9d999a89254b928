package asm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
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

func fastLocalContains(body []byte, probes int, hash uint64) bool {
	f := asm.NewFastLocal(body, probes)
	return f.Contains(hash)
}

func pairedContains(body []byte, batchBlocks, probes int, hash uint64) bool {
	f := asm.NewPaired(body, batchBlocks, probes)
	return f.Contains(hash)
}

func legacyBits(body []byte, lines uint32, probes int, hashes, hits []uint64) {
	f := asm.NewLegacy(body, lines, probes)
	f.ContainsBits(hashes, hits)
}

func TestMisusePanics(t *testing.T) { eachLevel(t, testMisuse) }

func testMisuse(t *testing.T) {
	body, hashes := make([]byte, 8192), []uint64{1, 2}
	fill(body, 0xff) // every answer would be yes
	hits, bools, counts := []uint64{0}, make([]bool, 99), make([]uint16, 128)
	levelDB := asm.NewLevelDB(body, 6)
	var zero asm.Kernel
	for name, misuse := range map[string]func(){
		"no body":              func() { fastLocalContains(nil, 6, 1) },
		"part of a block":      func() { fastLocalContains(body[:100], 6, 1) },
		"no probes":            func() { fastLocalContains(body, 0, 1) },
		"negative probes":      func() { fastLocalContains(body, -1, 1) },
		"31 probes":            func() { fastLocalContains(body, 31, 1) },
		"few keys, no answers": func() { fastLocalBits(body, 6, make([]uint64, 40), nil) },
		"few keys, few bools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(make([]uint64, 40), bools[:39])
		},
		"many keys, few bools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(make([]uint64, 100), bools)
		},
		"the zero filter":                func() { zero.Contains(1) },
		"the zero filter, few keys":      func() { zero.ContainsBits(make([]uint64, 40), hits) },
		"the zero filter, bools":         func() { zero.ContainsBools(make([]uint64, 99), bools) },
		"no answers":                     func() { fastLocalBits(body, 6, hashes, nil) },
		"too few answers":                func() { fastLocalBits(body, 6, make([]uint64, 65), hits) },
		"batch without body":             func() { fastLocalBits(nil, 6, hashes, hits) },
		"the zero filter, add":           func() { zero.Add(1) },
		"the zero filter, add if absent": func() { zero.AddIfAbsent(1) },
		"the zero filter, add all":       func() { zero.AddAll(hashes) },
		"the zero filter, add shared":    func() { zero.AddShared(1) },
		"the zero filter, absent shared": func() { zero.AddIfAbsentShared(1) },
		"shared at no multiple of 8":     func() { asm.NewSharedFastLocal(body[1:65], 6) },
		"unite with a shared body": func() {
			own, shared := asm.NewFastLocal(body[:64], 6), asm.NewSharedFastLocal(body[64:128], 6)
			own.Unite(&shared)
		},
		"unite a shared body with another": func() {
			own, shared := asm.NewFastLocal(body[:64], 6), asm.NewSharedFastLocal(body[64:128], 6)
			shared.Unite(&own)
		},
		"add without body":        func() { asm.FastLocalAdd(nil, 6, hashes) },
		"add 31 probes":           func() { asm.FastLocalAdd(body, 31, hashes) },
		"paired, no body":         func() { pairedContains(nil, 128, 6, 1) },
		"part of a batch":         func() { pairedContains(body[:8128], 128, 6, 1) },
		"one probe":               func() { pairedContains(body, 128, 1, 1) },
		"paired, 31 probes":       func() { pairedContains(body, 128, 31, 1) },
		"batches of 64":           func() { pairedContains(body, 64, 6, 1) },
		"batches of none":         func() { pairedContains(body, 0, 6, 1) },
		"paired, few answers":     func() { pairedBits(body, 32, 6, hashes, nil) },
		"paired, too few answers": func() { pairedBits(body, 32, 6, make([]uint64, 65), hits) },
		"paired, seven answers":   func() { pairedBits(body, 128, 6, make([]uint64, 7), nil) },
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
		"LevelDB, negative probes":    func() { asm.NewLevelDB(body, -1) },
		"LevelDB, few answers":        func() { levelDB.ContainsBits(make([]uint64, 65), hits) },
		"LevelDB, few bools":          func() { levelDB.ContainsBools(make([]uint64, 100), bools) },
		"legacy, no body":             func() { asm.NewLegacy(nil, 1, 6) },
		"legacy, no lines":            func() { asm.NewLegacy(body, 0, 6) },
		"legacy, part of a line":      func() { asm.NewLegacy(body, 127, 6) },
		"legacy, lines of 192 bytes":  func() { asm.NewLegacy(body[:192], 1, 6) },
		"legacy, lines of no bytes":   func() { asm.NewLegacy(body, 8193, 6) },
		"legacy, no probes":           func() { asm.NewLegacy(body, 128, 0) },
		"legacy, 128 probes":          func() { asm.NewLegacy(body, 128, 128) },
		"legacy, negative probes":     func() { asm.NewLegacy(body, 128, -1) },
		"legacy, few answers":         func() { legacyBits(body, 128, 6, hashes, nil) },
		"legacy, too few answers":     func() { legacyBits(body, 128, 6, make([]uint64, 65), hits) },
		"legacy, pure Go, no answers": func() { legacyBits(body, 64, 6, hashes, nil) },
		"legacy, many, few answers":   func() { legacyBits(body, 128, 6, make([]uint64, 4097), make([]uint64, 64)) },
		"legacy, few bools": func() {
			f := asm.NewLegacy(body, 128, 6)
			f.ContainsBools(make([]uint64, 7), bools[:6])
		},
		"legacy, many keys, few bools": func() {
			f := asm.NewLegacy(body, 128, 6)
			f.ContainsBools(make([]uint64, 100), bools)
		},
		"legacy add, no lines":     func() { asm.LegacyAdd(body, 0, 6, hashes) },
		"legacy add, no probes":    func() { asm.LegacyAdd(body, 128, 0, hashes) },
		"paired batch, no body":    func() { pairedBits(nil, 128, 6, hashes, hits) },
		"paired batch, 31 probes":  func() { pairedBits(body, 128, 31, hashes, hits) },
		"part of a batch, many":    func() { pairedBits(body[:2112], 32, 6, hashes, hits) },
		"paired add, no body":      func() { asm.PairedAdd(nil, 128, 6, hashes) },
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

// TestTheZeroKernel panics with a message that names the mistake, in lookups of all kinds and where a key is added.
func TestTheZeroKernel(t *testing.T) {
	var zero asm.Kernel
	hashes, hits, bools := make([]uint64, 100), make([]uint64, 2), make([]bool, 100)
	keys := slices.Repeat([][]byte{[]byte("16 bytes, a key.")}, 100)
	eachLevel(t, func(t *testing.T) {
		for name, lookup := range map[string]func(){
			"Contains":             func() { zero.Contains(1) },
			"ContainsBits":         func() { zero.ContainsBits(hashes, hits) },
			"ContainsBits, few":    func() { zero.ContainsBits(hashes[:9], hits) },
			"ContainsBits, none":   func() { zero.ContainsBits(nil, nil) },
			"ContainsBools":        func() { zero.ContainsBools(hashes, bools) },
			"ContainsBools, few":   func() { zero.ContainsBools(hashes[:9], bools) },
			"ContainsBools, none":  func() { zero.ContainsBools(nil, nil) },
			"ContainsBitsAmong":    func() { zero.ContainsBitsAmong(1<<30, hashes, hits) },
			"ContainsBitsAmong, 1": func() { zero.ContainsBitsAmong(1, hashes, hits) },
			"ContainsKey":          func() { zero.ContainsKey(keys[0]) },
			"ContainsKeys":         func() { zero.ContainsKeys(keys, bools) },
			"ContainsKeys, 64":     func() { zero.ContainsKeys(keys[:64], bools) },
			"ContainsKeys, 8":      func() { zero.ContainsKeys(keys[:8], bools) },
			"ContainsKeys, 7":      func() { zero.ContainsKeys(keys[:7], bools) },
			"ContainsKeys, none":   func() { zero.ContainsKeys(nil, nil) },
			"AddKey":               func() { zero.AddKey(keys[0]) },
		} {
			func() {
				defer func() {
					if got := recover(); !strings.HasPrefix(fmt.Sprint(got), "simdbloom: zero Filter: ") {
						t.Errorf("%s: %v", name, got)
					}
				}()
				lookup()
			}()
		}
		if slices.Contains(bools, true) {
			t.Error("something was written before a panic")
		}
	})
}

// TestConstants gives every hash the same answer, and touches no answer beyond the last.
func TestConstants(t *testing.T) {
	hashes := vectors.Hashes(3, 200)
	eachLevel(t, func(t *testing.T) {
		for answer, format := range map[bool]asm.Format{true: asm.Reserved, false: asm.Empty} {
			k := asm.NewConstant(answer)
			if shape := k.Shape(); shape.Format != format || shape.Probes != 0 || k.Body() != nil || shape.Linear != nil || k.IsFarAmong(1<<30) {
				t.Errorf("%v: %+v", answer, k)
			}
			for n := range len(hashes) {
				bits, bools := slices.Repeat([]uint64{42}, asm.Words(n)+1), make([]bool, n+1)
				bools[n] = !answer
				k.ContainsBits(hashes[:n], bits)
				k.ContainsBools(hashes[:n], bools)
				for i := range 64 * asm.Words(n) {
					if isSet(bits, i) != (answer && i < n) || i < n && (bools[i] != answer || k.Contains(hashes[i]) != answer) {
						t.Fatalf("%v, batch of %d, number %d: %v", answer, n, i, isSet(bits, i))
					}
				}
				if bits[asm.Words(n)] != 42 || bools[n] == answer {
					t.Fatalf("%v, batch of %d: something was written beyond the answers", answer, n)
				}
				if n > 0 {
					k.Prefetch(hashes[:n])
				}
			}
		}
	})
}

// TestAddingElsewhere: nothing is added to a body of a format that accepts no keys.
func TestAddingElsewhere(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		testmem.BesideGuards(t, make([]byte, 7*16*5), func(body []byte) {
			for _, k := range []asm.Kernel{asm.NewConstant(true), asm.NewLevelDB(body, 6), asm.NewRibbon(body, 5, 0), asm.NewLegacy(body[:64], 1, 6)} {
				for _, hash := range vectors.Hashes(4, 200) {
					for _, add := range []func(){
						func() { k.Add(hash) }, func() { k.AddIfAbsent(hash) }, func() { k.AddAll([]uint64{hash}) },
						func() { k.AddShared(hash) }, func() { k.AddIfAbsentShared(hash) },
					} {
						func() {
							defer func() { _ = recover() }()
							add()
						}()
					}
				}
			}
		})
	})
}

func TestKernelsAllocateNothing(t *testing.T) { eachLevel(t, testAllocations) }

func testAllocations(t *testing.T) {
	body, hashes := make([]byte, 8192), vectors.Hashes(1, 300)
	hits, bools, counts := make([]uint64, 47), make([]bool, 3000), make([]uint16, 128)
	many := vectors.Hashes(2, 3000)
	trailed := append(slices.Clone(body), 6, 128, 0, 0, 0)
	columns := append(slices.Clone(body), 0xfe, 3, 64, 0, 0)
	pairs := append(slices.Clone(body), 1, 6, 7, 0)
	lines := append(slices.Clone(body), 0xff, 0, 6, 0, 0)
	fill(body, 0xff)
	ribbon := asm.NewRibbon(body, 64, 3)
	for name, kernel := range map[string]func(){
		"FastLocalMayContain":    func() { asm.FastLocalMayContain(lines, 1) },
		"FastLocal.ContainsBits": func() { fastLocalBits(body, 6, hashes, hits) },
		"FastLocal.ContainsBools": func() {
			f := asm.NewFastLocal(body, 6)
			f.ContainsBools(hashes, bools)
			f.ContainsBools(hashes[:7], bools)
		},
		"FastLocalAdd":        func() { asm.FastLocalAdd(body, 6, hashes) },
		"PairedMayContain":    func() { asm.PairedMayContain(pairs, 1) },
		"Paired.ContainsBits": func() { pairedBits(body, 128, 6, hashes, hits) },
		"Paired.ContainsBools": func() {
			f := asm.NewPaired(body, 128, 6)
			f.ContainsBools(hashes, bools)
			f.ContainsBools(hashes[:7], bools)
		},
		"LegacyMayContain": func() { asm.LegacyMayContain(trailed, 1, nil) },
		"Legacy.ContainsBits": func() {
			f := asm.NewLegacy(body, 128, 6)
			for _, n := range []int{20, 200, 3000} {
				f.ContainsBits(many[:n], hits)
			}
		},
		"Legacy.ContainsBools": func() {
			f := asm.NewLegacy(body, 128, 6)
			for _, n := range []int{7, 20, 200, 3000} {
				f.ContainsBools(many[:n], bools)
			}
		},
		"RibbonMayContain": func() { asm.RibbonMayContain(columns, 1, nil) },
		"Ribbon.ContainsBits": func() {
			for _, n := range []int{7, 20, 300} {
				ribbon.ContainsBits(hashes[:n], hits)
			}
		},
		"Ribbon.ContainsBools": func() {
			ribbon.ContainsBools(hashes, bools)
		},
		"LegacyAdd":   func() { asm.LegacyAdd(body, 128, 6, many) },
		"PairedCount": func() { asm.PairedCount(counts, 0, 128, hashes) },
		"PairedAdd":   func() { asm.PairedAdd(body, 128, 6, hashes) },
	} {
		if allocs := testing.AllocsPerRun(10, kernel); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
