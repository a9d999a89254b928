package asm_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/naive"
	"github.com/simdbloom/simdbloom/internal/vectors"
)

// longestTail is the number of hashes up to which every length of a batch is
// tried.
const longestTail = 200

// probeClasses are numbers of probes of which each may have a kernel of its own.
var probeClasses = []int{6, 8, 12, 16, 24, 30}

// kernels are a filter's kernels for a body at any place, and the same from
// packages fallback and naive.
type kernels struct {
	contains      func(body []byte, hash uint64) bool
	containsBatch func(hits []uint64, body []byte, hashes []uint64)
	containsBools func(hits []bool, body []byte, hashes []uint64) // or nil
	add           func(body []byte, hashes []uint64)

	fallbackContains func(body []byte, hash uint64) bool
	fallbackAdd      func(body []byte, hashes []uint64)

	naiveContains func(body []byte, hash uint64) bool
	naiveAdd      func(body []byte, hash uint64)
}

func fastLocal(k int) kernels {
	return kernels{
		func(body []byte, hash uint64) bool { return asm.FastLocalContains(body, k, hash) },
		func(hits []uint64, body []byte, hashes []uint64) { asm.FastLocalContainsBatch(hits, body, k, hashes) },
		func(hits []bool, body []byte, hashes []uint64) {
			f := asm.NewFastLocal(body, k)
			f.ContainsBools(hits, hashes)
		},
		func(body []byte, hashes []uint64) { asm.FastLocalAdd(body, k, hashes) },
		func(body []byte, hash uint64) bool { return fallback.FastLocalContains(body, k, hash) },
		func(body []byte, hashes []uint64) { fallback.FastLocalAdd(body, k, hashes) },
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
		nil,
		func(body []byte, hashes []uint64) { asm.PairedAdd(body, batch, k, hashes) },
		func(body []byte, hash uint64) bool { return fallback.PairedContains(body, batch, k, hash) },
		func(body []byte, hashes []uint64) { fallback.PairedAdd(body, batch, k, hashes) },
		func(body []byte, hash uint64) bool { return naive.PairedContains(body, batch, k, hash) },
		func(body []byte, hash uint64) { naive.PairedAdd(body, batch, k, hash) },
	}
}

// answers returns what fallback says of the hashes, in bits.
func (k kernels) answers(body []byte, hashes []uint64) []uint64 {
	bits := make([]uint64, asm.Words(len(hashes)))
	for i, hash := range hashes {
		if k.fallbackContains(body, hash) {
			bits[i/64] |= 1 << (i % 64)
		}
	}
	return bits
}

// checkSingles asks for each hash by itself. want is the answers in bits.
func (k kernels) checkSingles(t *testing.T, body []byte, hashes, want []uint64, describe func() string) {
	t.Helper()
	for i, hash := range hashes {
		if w := want[i/64]>>(i%64)&1 != 0; k.contains(body, hash) != w {
			t.Fatalf("%s: hash %#x alone: not %v", describe(), hash, w)
		}
	}
}

const (
	untouched = 0x5555aaaa5555aaaa // in words that no answer goes to
	margin    = 16                 // words looked at on both sides of the answers, more than a register writes
)

// checkBatch asks for all hashes in one batch, with the answers to go into room
// from the given word on. want is the answers in bits, and may be of more hashes.
func (k kernels) checkBatch(t *testing.T, room []uint64, from int, body []byte, hashes, want []uint64, describe func() string) {
	t.Helper()
	n := len(hashes)
	end := from + asm.Words(n)
	for i := max(0, from-margin); i < min(len(room), end+margin); i++ {
		room[i] = untouched
	}
	k.containsBatch(room[from:], body, hashes)
	for i := max(0, from-margin); i < min(len(room), end+margin); i++ {
		if i < from || i >= end {
			if room[i] != untouched {
				t.Fatalf("%s, batch of %d: wrote to word %d", describe(), n, i-from)
			}
			continue
		}
		w := want[i-from]
		if i == end-1 && n%64 != 0 {
			w &= 1<<(n%64) - 1
		}
		if room[i] != w {
			t.Fatalf("%s, batch of %d: word %d is %#x, not %#x", describe(), n, i-from, room[i], w)
		}
	}
	if k.containsBools != nil && n < 1<<12 {
		k.checkBools(t, body, hashes, want, describe)
	}
}

// checkBools asks for all hashes in one batch, with bools for answers.
func (k kernels) checkBools(t *testing.T, body []byte, hashes, want []uint64, describe func() string) {
	t.Helper()
	room := make([]bool, margin+len(hashes)+margin)
	for i := range room {
		room[i] = i%3 == 0
	}
	k.containsBools(room[margin:len(room)-margin], body, hashes)
	for i, got := range room {
		w := i%3 == 0
		if j := i - margin; j >= 0 && j < len(hashes) {
			w = want[j/64]>>(j%64)&1 != 0
		}
		if got != w {
			t.Fatalf("%s, batch of %d bools: number %d is %v", describe(), len(hashes), i-margin, got)
		}
	}
}

// hashesFor returns random hashes and those at the ends of their ranges.
func hashesFor(seed uint64) []uint64 {
	edges := []uint64{0, 1, 1<<32 - 1, 1 << 32, 1 << 63, 1<<64 - 1, 0x9e3779b9 << 32, 511 << 55}
	return append(edges, vectors.Hashes(seed, longestTail-len(edges))...)
}

// randomBody has half of its bits set.
func randomBody(r *rand.Rand, n int) []byte {
	body := make([]byte, n)
	for i := range body {
		body[i] = byte(r.Uint32())
	}
	return body
}

// balancedBody has so many bits set that about half of all keys of k probes are
// in it, and that most others fail at one probe.
func balancedBody(r *rand.Rand, k, n int) []byte {
	body := bytes.Repeat([]byte{0xff}, n)
	for range int(float64(8*n) * (1 - math.Pow(0.5, 1/float64(k)))) {
		bit := r.IntN(8 * n)
		body[bit/8] &^= 1 << (bit % 8)
	}
	return body
}
