package main

import (
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/asm"
)

// scatter puts every key into cache lines of its own, in random order: keys that come
// from requests are not one behind the other.
func (q *queries) scatter(keyBytes int) {
	stride := (keyBytes + asm.BlockBytes - 1) / asm.BlockBytes * asm.BlockBytes
	memory := make([]byte, len(q.keys)*stride)
	for i, at := range rand.New(rand.NewPCG(1, 2)).Perm(len(q.keys)) {
		q.keys[i] = memory[at*stride:][:keyBytes:keyBytes]
	}
}
