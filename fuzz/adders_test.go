package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
)

// adder is a Mutable or a Concurrent.
type adder interface {
	queryable
	Bytes() []byte
	AddHash(hash uint64)
	AddHashes(hashes []uint64)
	AddHashIfAbsent(hash uint64) bool
	EstimatedKeys() float64
	Full() bool
}

// FuzzAdders goes on with any bytes, adds keys in an order of ways that the recipe says, and
// compares every bit and every answer with the naive filter's.
func FuzzAdders(f *testing.F) {
	addBytes(f, func(data []byte) { f.Add(byte(1), data, queries, []byte("\x00\x01\x02\x03 and so on")) })
	all := levels()
	f.Fuzz(func(t *testing.T, level byte, data, added, recipe []byte) {
		defer cpu.Limit(all[int(level)%len(all)])()
		before, hashes := bytes.Clone(data), hashesIn(added)
		for _, of := range contract.Adders() {
			format := of.Format
			opened, err := simdbloom.Open(format, data, keyhash.XX64)
			canAdd := err == nil && opened.Format() == format
			for name, open := range map[string]func() (adder, error){
				"Mutable":    func() (adder, error) { return simdbloom.OpenMutable(format, data, keyhash.XX64) },
				"Concurrent": func() (adder, error) { return simdbloom.OpenConcurrent(format, data, keyhash.XX64) },
			} {
				g, err := open()
				if (err == nil) != canAdd {
					t.Fatalf("%v %s: %v, can add: %v", format, name, err, canAdd)
				}
				if canAdd {
					addKeys(t, g, of, bytes.Clone(before), hashes, recipe)
				}
				if !bytes.Equal(data, before) {
					t.Fatalf("%v %s changes the bytes that it was opened from", format, name)
				}
			}
		}
	})
}

// addKeys adds the hashes to g, which was opened from the wanted bytes, and to those.
func addKeys(t *testing.T, g adder, of contract.Format, want []byte, hashes []uint64, recipe []byte) {
	contains, add := of.Naive(want), of.NaiveAdd(want)
	for left := hashes; len(left) > 0; {
		way := byte(len(left))
		if len(recipe) > 0 {
			way, recipe = recipe[0], recipe[1:]
		}
		n := min(1+int(way>>2), len(left))
		for _, hash := range left[:n] {
			absent := !contains(hash)
			add(hash)
			switch way & 3 {
			case 0:
				g.AddHash(hash)
			case 1:
				if g.AddHashIfAbsent(hash) != absent {
					t.Fatalf("AddHashIfAbsent(%#x) is not %v", hash, absent)
				}
			}
		}
		if way&2 != 0 {
			g.AddHashes(left[:n])
		}
		left = left[n:]
	}
	if !bytes.Equal(g.Bytes(), want) {
		t.Fatal("other bytes than the naive filter's")
	}
	queried := slices.Clone(hashes)
	for _, hash := range hashes {
		queried = append(queried, hash^1<<40, hash+1<<20)
	}
	checkQueries(t, g, queried, contains)
	checkRate(t, g)
	if g.EstimatedKeys() < 0 || g.EstimatedFPR() < 0 || g.Full() && g.EstimatedKeys() < 1 {
		t.Fatal("wrong estimates")
	}
}
