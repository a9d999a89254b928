package asm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/naive"
	"github.com/simdbloom/simdbloom/internal/testmem"
	"github.com/simdbloom/simdbloom/internal/vectors"
)

// longestTail is the number of hashes up to which every length of a batch is
// tried.
const longestTail = 200

// kernels are a filter's kernels for a body at any place.
type kernels struct {
	contains      func(body []byte, hash uint64) bool
	containsBatch func(hits []uint64, body []byte, hashes []uint64)
	add           func(body []byte, hashes []uint64)

	naiveContains func(body []byte, hash uint64) bool
	naiveAdd      func(body []byte, hash uint64)
}

func fastLocal(k int) kernels {
	return kernels{
		func(body []byte, hash uint64) bool { return asm.FastLocalContains(body, k, hash) },
		func(hits []uint64, body []byte, hashes []uint64) { asm.FastLocalContainsBatch(hits, body, k, hashes) },
		func(body []byte, hashes []uint64) { asm.FastLocalAdd(body, k, hashes) },
		func(body []byte, hash uint64) bool { return naive.FastLocalContains(body, k, hash) },
		func(body []byte, hash uint64) { naive.FastLocalAdd(body, k, hash) },
	}
}

func paired(batch, k int) kernels {
	return kernels{
		func(body []byte, hash uint64) bool { return asm.PairedContains(body, batch, k, hash) },
		func(hits []uint64, body []byte, hashes []uint64) {
			asm.PairedContainsBatch(hits, body, batch, k, hashes)
		},
		func(body []byte, hashes []uint64) { asm.PairedAdd(body, batch, k, hashes) },
		func(body []byte, hash uint64) bool { return naive.PairedContains(body, batch, k, hash) },
		func(body []byte, hash uint64) { naive.PairedAdd(body, batch, k, hash) },
	}
}

// hashesFor returns random hashes and those at the ends of their ranges.
func hashesFor(seed uint64) []uint64 {
	edges := []uint64{0, 1, 1<<32 - 1, 1 << 32, 1 << 63, 1<<64 - 1, 0x9e3779b9 << 32, 511 << 55}
	return append(edges, vectors.Hashes(seed, longestTail-len(edges))...)
}

// randomBody has about half, or three quarters, of its bits set.
func randomBody(r *rand.Rand, n int) []byte {
	body := make([]byte, n)
	dense := r.IntN(2) == 0
	for i := range body {
		body[i] = byte(r.Uint32())
		if dense {
			body[i] |= byte(r.Uint32())
		}
	}
	return body
}

func TestFastLocalExhaustively(t *testing.T) {
	for k := 1; k <= asm.MaxProbes; k++ {
		for _, blocks := range []int{1, 2, 3, 70} {
			testExhaustively(t, fmt.Sprintf("k=%d, %d blocks", k, blocks), fastLocal(k), blocks)
		}
	}
}

func TestPairedExhaustively(t *testing.T) {
	for k := 2; k <= asm.MaxProbes; k++ {
		for _, batch := range []int{32, 128} {
			for batches := 1; batches <= 4; batches++ {
				name := fmt.Sprintf("k=%d, %d batches of %d", k, batches, batch)
				testExhaustively(t, name, paired(batch, k), batches*batch)
			}
		}
	}
}

func testExhaustively(t *testing.T, name string, kernel kernels, blocks int) {
	r := rand.New(rand.NewPCG(uint64(blocks), 77))
	hashes := hashesFor(uint64(blocks))
	body := randomBody(r, blocks*asm.BlockBytes)
	for i, hash := range hashes {
		if i%3 == 0 { // some are there for certain
			kernel.naiveAdd(body, hash)
		}
	}
	want := make([]bool, len(hashes))
	for i, hash := range hashes {
		want[i] = kernel.naiveContains(body, hash)
	}

	room := make([]byte, len(body)+64)
	for _, offset := range []int{0, 1, 7, 8, 16, 31, 48, 63} {
		moved := room[offset : offset+len(body) : offset+len(body)]
		copy(moved, body)
		for i, hash := range hashes {
			if kernel.contains(moved, hash) != want[i] {
				t.Fatalf("%s, offset %d: hash %#x: not %v", name, offset, hash, want[i])
			}
		}
		for n := range longestTail + 1 {
			hits := slices.Repeat([]uint64{0x5555aaaa5555aaaa}, asm.Words(n)+1)
			kernel.containsBatch(hits, moved, hashes[:n])
			for i := range 64 * asm.Words(n) {
				if got := hits[i/64]>>(i%64)&1 != 0; got != (i < n && want[i]) {
					t.Fatalf("%s, offset %d, batch of %d: answer %d is %v", name, offset, n, i, got)
				}
			}
			if hits[asm.Words(n)] != 0x5555aaaa5555aaaa {
				t.Fatalf("%s, batch of %d: wrote beyond the answers", name, n)
			}
		}
		if !bytes.Equal(moved, body) {
			t.Fatalf("%s: looking up changed the filter", name)
		}
		copy(room[offset:], make([]byte, len(body)))
	}
}

func TestAddingExhaustively(t *testing.T) {
	for k := 1; k <= asm.MaxProbes; k++ {
		for _, blocks := range []int{1, 2, 3, 70} {
			testAdding(t, fmt.Sprintf("k=%d, %d blocks", k, blocks), fastLocal(k), blocks)
		}
		for _, batch := range []int{32, 128} {
			if k >= 2 {
				testAdding(t, fmt.Sprintf("k=%d, batches of %d", k, batch), paired(batch, k), 2*batch)
			}
		}
	}
}

func testAdding(t *testing.T, name string, kernel kernels, blocks int) {
	r := rand.New(rand.NewPCG(uint64(blocks), 78))
	hashes := hashesFor(uint64(blocks))
	before := make([]byte, blocks*asm.BlockBytes)
	for i := 0; i < len(before); i += asm.BlockBytes {
		before[i] = byte(r.Uint32()) // pair indexes, hostile ones included
	}
	want := slices.Clone(before)
	testmem.BesideGuards(t, before, func(body []byte) {
		for n := range longestTail + 1 {
			copy(body, before)
			kernel.add(body, hashes[:n])
			if n == 0 {
				copy(want, before)
			} else {
				kernel.naiveAdd(want, hashes[n-1])
			}
			if !bytes.Equal(body, want) {
				t.Fatalf("%s: other bits after %d hashes", name, n)
			}
		}
	})
}

func TestPairsExhaustively(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 79))
	for _, batch := range []int{32, 128} {
		for round := range 200 {
			batches := 1 + round%4
			counts := make([]uint16, batch*batches)
			for i := range counts {
				switch round % 5 {
				case 0: // all equal
				case 1:
					counts[i] = uint16(r.Uint32())
				case 2:
					counts[i] = uint16(i)
				case 3:
					counts[i] = uint16(len(counts) - i)
				default:
					counts[i] = uint16(r.IntN(4)) // many equal ones
				}
			}
			want := make([]byte, len(counts)*asm.BlockBytes)
			naive.PairBlocks(want, batch, counts)
			testmem.BesideGuards(t, make([]byte, len(want)), func(body []byte) {
				for range 2 { // again over what is there
					asm.PairedSetPairs(body, batch, counts)
					if !bytes.Equal(body, want) {
						t.Fatalf("batches of %d, round %d: other pairs", batch, round)
					}
					for at := 0; at < len(body); at += asm.BlockBytes {
						body[at] ^= byte(r.IntN(batch))
					}
				}
			})
		}
	}
}

func TestCounting(t *testing.T) {
	hashes := slices.Repeat(vectors.Hashes(8, 20_000), 4) // counts beyond 2^16 wrap
	for _, blocks := range []uint32{1, 32, 1000, 4096} {
		want := make([]uint16, blocks)
		for _, hash := range hashes {
			want[asm.Block(hash, blocks)]++
		}
		got := make([]uint16, blocks)
		asm.PairedCount(got, 0, blocks, hashes[:7])
		asm.PairedCount(got, 0, blocks, hashes[7:])
		if !slices.Equal(got, want) {
			t.Errorf("%d blocks: other counts", blocks)
		}
		from, to := blocks/3, blocks-blocks/4
		mine := slices.DeleteFunc(slices.Clone(hashes), func(hash uint64) bool {
			block := asm.Block(hash, blocks)
			return block < from || block >= to
		})
		got = make([]uint16, to-from)
		asm.PairedCount(got, from, blocks, mine)
		if !slices.Equal(got, want[from:to]) {
			t.Errorf("blocks %d to %d of %d: other counts", from, to, blocks)
		}
	}
}

func TestMisusePanics(t *testing.T) {
	body, hashes := make([]byte, 8192), []uint64{1, 2}
	for i := range body {
		body[i] = 0xff // every answer would be yes
	}
	hits, counts := []uint64{0}, make([]uint16, 128)
	for name, misuse := range map[string]func(){
		"no body":                  func() { asm.FastLocalContains(nil, 6, 1) },
		"part of a block":          func() { asm.FastLocalContains(body[:100], 6, 1) },
		"no probes":                func() { asm.FastLocalContains(body, 0, 1) },
		"negative probes":          func() { asm.FastLocalContains(body, -1, 1) },
		"31 probes":                func() { asm.FastLocalContains(body, 31, 1) },
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

func TestKernelsAllocateNothing(t *testing.T) {
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
