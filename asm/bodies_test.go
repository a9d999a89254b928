package asm_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/asm"
)

func fill(body []byte, b byte) {
	body[0] = b
	for n := 1; n < len(body); n *= 2 {
		copy(body[n:], body[:n])
	}
}

func clearBit(body []byte, bit uint64) { body[bit/8] &^= 1 << (bit % 8) }

// randomBody has half of its bits set.
func randomBody(r *rand.Rand, n int) []byte {
	body := make([]byte, (n+7)&^7)
	for at := 0; at < n; at += 8 {
		binary.LittleEndian.PutUint64(body[at:], r.Uint64())
	}
	return body[:n:n]
}

// balancedBody has enough bits set for about half of all keys to be found, and most
// others to fail at one probe. No builder makes its pairs.
func (k kernels) balancedBody(r *rand.Rand, n int) []byte {
	body := bytes.Repeat([]byte{0xff}, n)
	for range int(float64(8*n) * (1 - math.Pow(0.5, 1/float64(k.probes)))) {
		clearBit(body, uint64(r.IntN(8*n)))
	}
	k.mispair(r, body)
	return body
}

// pairBlock makes block m the one that block n is paired with.
func (k kernels) pairBlock(body []byte, n, m int) {
	first, index := &body[n*asm.BlockBytes], byte(k.batch-1)
	*first = *first&^index | byte(m)&index
}

// partner returns the block that block n is paired with, itself if there are no
// pairs.
func (k kernels) partner(body []byte, n int) int {
	index := k.batch - 1
	return n&^index | int(body[n*asm.BlockBytes])&index
}

// pair makes pairs of the blocks of every batch, as builders do.
func (k kernels) pair(r *rand.Rand, body []byte) {
	for first := 0; k.batch > 1 && first < len(body)/asm.BlockBytes; first += k.batch {
		for order := r.Perm(k.batch); len(order) > 0; order = order[2:] {
			k.pairBlock(body, first+order[0], order[1])
			k.pairBlock(body, first+order[1], order[0])
		}
	}
}

// mispair pairs them as no builder does: with either end of the batch, with themselves, or
// with any block, which is paired with another.
func (k kernels) mispair(r *rand.Rand, body []byte) {
	for n := range len(body) / asm.BlockBytes {
		k.pairBlock(body, n, [4]int{0, k.batch - 1, n, r.IntN(k.batch)}[r.IntN(4)])
	}
}
