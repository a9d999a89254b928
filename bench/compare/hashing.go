package main

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/keyhash"
)

// hashingRow hashes the keys in blocks of as many as ContainsKeys does, and does
// nothing else.
func hashingRow() *row {
	return &row{name: "hashing", level: cpu.Current(), keys: true, query: func(q *queries) {
		var hashes [2048]uint64
		for from := 0; from < len(q.keys); from += len(hashes) {
			keyhash.XX64.AppendHashes(hashes[:0], q.keys[from:min(from+len(hashes), len(q.keys))])
			q.touched |= hashes[0]
		}
	}}
}
