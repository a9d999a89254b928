package main

import (
	"fmt"
	"math/rand/v2"
)

// accounts is the number of accounts in the archives that are measured and tested.
const accounts = 100_000

func account(i int) string { return fmt.Sprintf("did:plc:%024x", i) }

// accountsOf returns random accounts for each block of segments: in one block of fifty 64, in the others one to three.
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
