package fuzz

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// addBuilds seeds a target with bits per key, the seed and number of hashes, a
// recipe for their pieces, and options.
func addBuilds(f *testing.F) {
	for i, bpk := range []float64{0.5, 1, 1.0135, 3.58, 10, 16.05, 23.4, 25.502, 50, 100, 0.49, math.NaN(), math.Inf(1)} {
		f.Add(bpk, uint64(i), uint16(1)<<i, []byte("a recipe"), byte(i))
		f.Add(bpk, uint64(i), uint16(i), []byte{byte(i)}, byte(37*i))
		f.Add(bpk, uint64(i), uint16(7001*i), []byte("\x03\xff\x0e?\x15d\x1c"[:i/2]), byte(101*i))
	}
	f.Add(100.0, uint64(1), uint16(math.MaxUint16), []byte{0xff}, byte(0xff))
}

// feed is feedAll, but it returns the hashes without adjacent repetitions.
func feed(b *simdbloom.Builder, hashes []uint64, recipe []byte) []uint64 {
	return slices.Compact(feedAll(b, hashes, recipe))
}

// feedAll adds hashes as the recipe says: alone or in pieces, some with repetitions or in a
// single block of the filter. It overwrites each piece at once. It returns the added hashes.
func feedAll(b *simdbloom.Builder, hashes []uint64, recipe []byte) []uint64 {
	var added []uint64
	scale := max(1, len(hashes)>>14) // so that there are large pieces of many hashes
	for i := 0; len(hashes) > 0; i++ {
		step := byte(1)
		if len(recipe) > 0 {
			step = recipe[i%len(recipe)]
		}
		piece := hashes[:min(1+int(step)*int(step)/16*scale, len(hashes))]
		hashes = hashes[len(piece):]
		switch step % 8 {
		case 1: // the last one again
			piece = append(slices.Clone(piece), piece[len(piece)-1])
		case 2: // all of them in one block
			for j := range piece {
				piece[j] |= 1<<32 - 1
			}
		case 4: // two of them in turn
			for j := range piece {
				piece[j] = piece[j%2]
			}
		case 5: // all of them in few blocks that lie together
			for j := range piece {
				piece[j] = piece[j]&^(0xff<<24) | piece[0]&(0xff<<24)
			}
		case 6: // block after block
			slices.SortFunc(piece, func(a, b uint64) int { return cmp.Compare(uint32(a), uint32(b)) })
		}
		added = append(added, piece...)
		if step%4 == 0 && scale == 1 {
			for _, hash := range piece {
				b.AddHash(hash)
			}
			continue
		}
		b.AddHashes(piece)
		clear(piece)
	}
	return added
}

// millibits converts bits per key as the formats do, rounding the product before the sum on
// every architecture.
func millibits(bitsPerKey float64) int {
	product := float64(min(max(bitsPerKey, 1), 100) * 1000)
	return int(product + 0.500001)
}

// accepted reports whether NewBuilder took the bits per key, which it must if they are valid.
func accepted(t *testing.T, bitsPerKey float64, err error) bool {
	t.Helper()
	if valid := bitsPerKey >= 0.5 && !math.IsInf(bitsPerKey, 1); valid != (err == nil) {
		t.Fatalf("%v bits per key: %v", bitsPerKey, err)
	}
	return err == nil
}

// goroutines returns the number of goroutines that the options set.
func goroutines(options byte) int { return 1 + int(options>>4) }

const mostGoroutines = 16

// refused expects an error for a limit that leaves no room for a filter.
func refused(t *testing.T, limit int, err error) {
	t.Helper()
	if err == nil {
		t.Fatalf("%d bytes were accepted", limit)
	}
}

func checkBuild(t *testing.T, b *simdbloom.Builder, hashes []uint64, want []byte) {
	t.Helper()
	if b.Len() != len(hashes) || b.SizeBytes() != len(want) {
		t.Fatalf("%d hashes, %d bytes; want %d, %d", b.Len(), b.SizeBytes(), len(hashes), len(want))
	}
	got, err := b.Finish()
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("other bytes than the naive builder's (%v)", err)
	}
}

func FuzzBuildFastLocal(f *testing.F) {
	addBuilds(f)
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		buildBloom(t, bpk, vectors.Hashes(seed, int(n)), recipe, options, 0)
	})
}

// buildBloom compares with a naive builder. A limit of 0 means no limit.
func buildBloom(t *testing.T, bpk float64, hashes []uint64, recipe []byte, options byte, limit int, more ...simdbloom.Option) {
	t.Helper()
	with := append(more, simdbloom.WithConcurrency(goroutines(options)), simdbloom.WithVerification())
	if limit > 0 {
		with = append(with, simdbloom.WithMaxBytes(limit))
	}
	b, err := bloom.NewBuilder(bpk, keyhash.XX64, with...)
	if limit > 0 && limit < 69 {
		refused(t, limit, err)
		return
	}
	if !accepted(t, bpk, err) {
		return
	}
	hashes = feed(b, hashes, recipe)
	data := naive.FastLocal(hashes, millibits(bpk), rocksDBsProbes(millibits(bpk)))
	if limit > 0 && len(data) > limit {
		blocks := (limit - 5) / 64
		data = naive.FastLocalOf(blocks, hashes, rocksDBsProbes(realMillibits(blocks, hashes)))
	}
	checkBuild(t, b, hashes, data)
	filter, err := bloom.Open(data, keyhash.XX64)
	if err != nil || len(filter.AppendHits(nil, hashes)) != len(hashes) {
		t.Fatalf("hashes are missing (%v)", err)
	}
}

// rocksDBsProbes returns k for bits per key in thousandths, which may be below all of the
// table's.
func rocksDBsProbes(millibits int) int {
	k := 1
	for _, step := range vectors.NumProbes("rocksdb_fastlocal") {
		if step[0] <= millibits {
			k = step[1]
		}
	}
	return k
}

func FuzzBuildPaired(f *testing.F) {
	addBuilds(f)
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		buildPaired(t, bpk, vectors.Hashes(seed, int(n)), recipe, options, 0)
	})
}

// buildPaired does what buildBloom does. With a limit, the options may let the builder
// choose the size of batches.
func buildPaired(t *testing.T, bpk float64, hashes []uint64, recipe []byte, options byte, limit int, more ...simdbloom.Option) {
	t.Helper()
	batch, table, least := 128, "speedb_paired_b128", 8196
	if options&1 != 0 {
		batch, table, least = 32, "speedb_paired_b32", 2052
	}
	roundDown, anyBatch := options&2 != 0, limit > 0 && options&5 == 4
	with := append(more, simdbloom.WithConcurrency(goroutines(options)), simdbloom.WithVerification())
	if roundDown {
		with = append(with, building.WithRoundDown)
	}
	if limit > 0 {
		with = append(with, simdbloom.WithMaxBytes(limit))
	}
	if anyBatch {
		least = 69
	} else {
		with = append(with, paired.WithBatchBlocks(batch))
	}
	b, err := paired.NewBuilder(bpk, keyhash.XX64, with...)
	if limit > 0 && limit < least {
		refused(t, limit, err)
		return
	}
	if !accepted(t, bpk, err) {
		return
	}
	hashes = feed(b, hashes, recipe)
	k := 2 // at the lowest settings, where the table has Speedb's 0
	for _, step := range vectors.NumProbes(table) {
		if step[0] <= millibits(bpk) {
			k = max(2, step[1])
		}
	}
	data := naive.Paired(hashes, millibits(bpk), k, batch, roundDown)
	size := (limit - 4) / (64 * batch) * (64 * batch)
	limited := limit > 0 && len(data) > limit
	if anyBatch {
		size, batch = chosenBatch(t, b, hashes, limit)
	}
	switch {
	case anyBatch && batch == 0:
		checkFew(t, bpk, b, hashes, limit)
		return
	case limited || anyBatch && batch == 32:
		data = naive.PairedOf(size/(64*batch), hashes, bestProbes(realMillibits(size/64, hashes)), batch)
	}
	checkBuild(t, b, hashes, data)
	filter, err := paired.Open(data, keyhash.XX64)
	if err != nil || len(filter.AppendHits(nil, hashes)) != len(hashes) || paired.Verify(filter) != nil {
		t.Fatalf("hashes are missing, or pairs wrong (%v, %v)", err, paired.Verify(filter))
	}
}
