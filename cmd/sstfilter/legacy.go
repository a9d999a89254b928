package main

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
)

// factsOfLegacy reads RocksDB's full filter before format_version 5, which Pebble still
// writes: lines of (usually) 64 bytes, and a trailer with the numbers of probes and of
// lines. A key's 32-bit hash chooses the line, and, with the same hash rotated, all of the
// bits (LegacyLocalityBloomImpl in RocksDB's util/bloom_impl.h).
//
// The hash is too short: if the number of lines is near a power of two, the line and the
// bits depend on each other. So the rate is measured: random hashes are looked up.
func factsOfLegacy(data []byte, filters int) facts {
	l, ok := newLegacy(data)
	if !ok {
		return facts{kind: alwaysTrue, rated: true, rate: 1}
	}
	hashes := 1<<20/filters + 1 // about 20 ms a table, with any number of filters
	return facts{
		kind: "legacy", probes: l.probes, blocks: int(l.lines), blockBytes: len(l.body) / int(l.lines),
		rated: true, rate: l.sampledRate(hashes), from: "random hashes looked up",
		legacyLines: uint64(l.lines),
	}
}

type legacy struct {
	body   []byte
	probes int
	lines  uint32
	mask   uint32 // of the number of a bit in its line
}

// newLegacy returns false for what RocksDB reads as always true.
func newLegacy(data []byte) (legacy, bool) {
	n := len(data) - trailerBytes
	l := legacy{data[:n], int(data[n]), binary.LittleEndian.Uint32(data[n+1:]), 0}
	if l.lines == 0 || uint64(n)%uint64(l.lines) != 0 {
		return legacy{}, false
	}
	lineBytes := uint64(n) / uint64(l.lines)
	if bits.OnesCount64(lineBytes) != 1 || lineBytes > math.MaxUint32/8 {
		return legacy{}, false
	}
	l.mask = uint32(8*lineBytes - 1)
	return l, true
}

func (l *legacy) contains(hash uint32) bool {
	line := l.body[uint64(hash%l.lines)*uint64(l.mask/8+1):]
	step := bits.RotateLeft32(hash, 15)
	for range l.probes {
		bit := hash & l.mask
		if line[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
		hash += step
	}
	return true
}

// sampledRate looks up the given number of random hashes, always the same ones.
func (l *legacy) sampledRate(hashes int) float64 {
	random := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for range hashes {
		if l.contains(random.Uint32()) {
			hits++
		}
	}
	return float64(hits) / float64(hashes)
}
