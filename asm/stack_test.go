package asm_test

import (
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestTheStackMoves: without kernels, assembly calls Go for each of a few keys. It may move the stack that
// the filter, the hashes and the answers are on: at some depth, only these calls need more of it.
func TestTheStackMoves(t *testing.T) {
	defer cpu.Limit(cpu.Generic)()
	hashes := [5]uint64(vectors.Hashes(37, 5))
	body := make([]byte, asm.BlockBytes)
	asm.LegacyAdd(body, 1, 6, hashes[1:4])
	k := asm.NewLegacy(body, 1, 6)
	for depth := range 200 {
		right := make(chan bool)
		go func() { right <- answeredBelow(depth, &k, &hashes) }()
		if !<-right {
			t.Fatalf("%d calls deep: wrong answers", depth)
		}
	}
}

//go:noinline
func answeredBelow(depth int, k *asm.Kernel, hashes *[5]uint64) bool {
	if depth > 0 {
		return answeredBelow(depth-1, k, hashes)
	}
	return answered(*k, *hashes)
}

//go:noinline
func answered(k asm.Kernel, hashes [5]uint64) bool {
	var hits [5]bool
	k.ContainsBools(hashes[:], hits[:])
	for i, hit := range hits {
		if hit != k.Contains(hashes[i]) || !hit && i > 0 && i < 4 {
			return false
		}
	}
	return true
}

// TestTheStackMovesUnderKeys: assembly that looks keys up continues in Go with long keys, with hashes that it does not
// have, and with many keys, and Go may move the stack that all of these are on.
func TestTheStackMovesUnderKeys(t *testing.T) {
	if !asm.HashesKeys {
		t.Skip("there is no assembly")
	}
	random := rand.New(rand.NewPCG(4, 57))
	body := randomBody(random, 2*asm.BlockBytes)
	for i := range body {
		body[i] |= byte(random.Uint32() | random.Uint32())
	}
	eachLevel(t, func(t *testing.T) {
		for name, k := range map[string]asm.Kernel{"FastLocal": asm.NewFastLocal(body, 6), "Legacy": asm.NewLegacy(body[:asm.BlockBytes], 1, 6)} {
			for _, h := range keyed {
				k.HashBy(h.by, outside(h.Hash))
				for _, n := range []int{3, 7, 8, 20, 64, 70} {
					for depth := range 200 {
						right := make(chan bool)
						go func() { right <- keysAnsweredBelow(depth, &k, h.Hash, n) }()
						if !<-right {
							t.Fatalf("%s, %s, %d calls deep: wrong answers for %d keys", name, h.name, depth, n)
						}
					}
				}
			}
		}
	})
}

//go:noinline
func keysAnsweredBelow(depth int, k *asm.Kernel, hash keyhash.Hash, n int) bool {
	if depth > 0 {
		return keysAnsweredBelow(depth-1, k, hash, n)
	}
	return keysAnswered(*k, hash, n)
}

// keysAnswered looks up keys of 16 bytes but for one, which is longer than assembly hashes.
//
//go:noinline
func keysAnswered(k asm.Kernel, hash keyhash.Hash, n int) bool {
	var bytes [400]byte
	var keys [70][]byte
	var hits [70]bool
	for i := range bytes {
		bytes[i] = byte(i * i * 37 >> 3)
	}
	for i := range n {
		keys[i] = bytes[i:][:16]
	}
	long := min(n-2, 9)
	keys[long] = bytes[long:][:300]
	k.ContainsKeys(keys[:n], hits[:n])
	for i, hit := range hits[:n] {
		if hit != k.Contains(hash.Sum64(keys[i])) {
			return false
		}
	}
	return true
}
