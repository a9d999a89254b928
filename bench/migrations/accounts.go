package main

import (
	"fmt"
	"math/rand/v2"
)

// accounts are those of accountsOf.
const accounts = 100_000

func account(i int) string { return fmt.Sprintf("did:plc:%024x", i) }

// accountsOf returns random accounts of each block of segments: mostly one to three, in one block of 50 64.
func accountsOf(segments, blocks int) (all [][][]string) {
	for range segments {
		segment := make([][]string, blocks)
		for i := range segment {
			n := 1 + rand.IntN(3)
			if rand.IntN(50) == 0 {
				n = 64
			}
			for range n {
				segment[i] = append(segment[i], account(rand.IntN(accounts)))
			}
		}
		all = append(all, segment)
	}
	return all
}
