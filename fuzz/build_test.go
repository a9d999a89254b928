package fuzz

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/naive"
	"github.com/simdbloom/simdbloom/internal/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// addBuilds seeds a target with bits per key, the seed and number of hashes, a
// recipe for their pieces, and options.
func addBuilds(f *testing.F) {
	for i, bpk := range []float64{0.5, 1, 1.0135, 3.58, 10, 16.05, 23.4, 25.502, 50, 100, 0.49, math.NaN(), math.Inf(1)} {
		f.Add(bpk, uint64(i), uint16(1)<<i, []byte("a recipe"), byte(i))
	}
}

// feed adds hashes as the recipe says: alone, in pieces, some of them repeated
// or all the same in a block of the filter. It returns what was added, without
// adjacent repetitions.
func feed(b policy.Builder, seed uint64, n uint16, recipe []byte) []uint64 {
	hashes := vectors.Hashes(seed, int(n))
	var added []uint64
	for i := 0; len(hashes) > 0; i++ {
		step := byte(1)
		if len(recipe) > 0 {
			step = recipe[i%len(recipe)]
		}
		piece := hashes[:min(1+int(step)*int(step)/16, len(hashes))]
		hashes = hashes[len(piece):]
		switch step % 4 {
		case 0:
			for _, hash := range piece {
				b.AddHash(hash)
			}
		case 1: // the last one again
			piece = append(slices.Clone(piece), piece[len(piece)-1])
			b.AddHashes(piece)
		case 2: // all of them in one block
			piece = slices.Clone(piece)
			for j := range piece {
				piece[j] |= 1<<32 - 1
			}
			b.AddHashes(piece)
		default:
			b.AddHashes(piece)
		}
		added = append(added, piece...)
	}
	return slices.Compact(added)
}

// millibits says it as the formats do, the product rounded before the sum on
// every architecture.
func millibits(bitsPerKey float64) int {
	product := float64(min(max(bitsPerKey, 1), 100) * 1000)
	return int(product + 0.500001)
}

// accepted reports whether NewBuilder took the bits per key, which it must if
// they are any.
func accepted(t *testing.T, bitsPerKey float64, err error) bool {
	t.Helper()
	if valid := bitsPerKey >= 0.5 && !math.IsInf(bitsPerKey, 1); valid != (err == nil) {
		t.Fatalf("%v bits per key: %v", bitsPerKey, err)
	}
	return err == nil
}

func checkBuild(t *testing.T, b policy.Builder, hashes []uint64, want []byte) {
	t.Helper()
	if b.Len() != len(hashes) || b.SizeBytes() != len(want) {
		t.Fatalf("%d hashes, %d bytes; want %d, %d", b.Len(), b.SizeBytes(), len(hashes), len(want))
	}
	got, err := b.Finish()
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("other bytes than the naive builder's (%v)", err)
	}
}

func FuzzBuildBloom(f *testing.F) {
	addBuilds(f)
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		b, err := bloom.NewBuilder(bpk, keyhash.XX64, bloom.WithConcurrency(1+int(options>>4)), bloom.WithVerification())
		if !accepted(t, bpk, err) {
			return
		}
		hashes := feed(b, seed, n, recipe)
		var k int
		for _, step := range vectors.NumProbes("rocksdb_fastlocal") {
			if step[0] <= millibits(bpk) {
				k = step[1]
			}
		}
		data := naive.FastLocal(hashes, millibits(bpk), k)
		checkBuild(t, b, hashes, data)
		filter, err := bloom.Open(data, keyhash.XX64)
		if err != nil || len(filter.AppendHits(nil, hashes)) != len(hashes) {
			t.Fatalf("hashes are missing (%v)", err)
		}
	})
}

func FuzzBuildPaired(f *testing.F) {
	addBuilds(f)
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		batch, table := 128, "speedb_paired_b128"
		if options&1 != 0 {
			batch, table = 32, "speedb_paired_b32"
		}
		roundDown := options&2 != 0
		with := []paired.Option{
			paired.WithBatchBlocks(batch), paired.WithConcurrency(1 + int(options>>4)), paired.WithVerification(),
		}
		if roundDown {
			with = append(with, paired.WithRoundDown())
		}
		b, err := paired.NewBuilder(bpk, keyhash.XX64, with...)
		if !accepted(t, bpk, err) {
			return
		}
		hashes := feed(b, seed, n, recipe)
		k := 2 // at the lowest settings, where the table has Speedb's 0
		for _, step := range vectors.NumProbes(table) {
			if step[0] <= millibits(bpk) {
				k = max(2, step[1])
			}
		}
		data := naive.Paired(hashes, millibits(bpk), k, batch, roundDown)
		checkBuild(t, b, hashes, data)
		filter, err := paired.Open(data, keyhash.XX64)
		if err != nil || len(filter.AppendHits(nil, hashes)) != len(hashes) || filter.Verify() != nil {
			t.Fatalf("hashes are missing, or pairs wrong (%v, %v)", err, filter.Verify())
		}
	})
}
