package fallback

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestSplitBlockVectors compares both readings of the format with what other programs wrote.
func TestSplitBlockVectors(t *testing.T) {
	v := vectors.SplitBlocks()
	for name, add := range map[string]func(body []byte, hash uint64){
		"naive":    naive.SplitBlockAdd,
		"fallback": func(body []byte, hash uint64) { SplitBlockAddKey(body, hash) },
		"batch":    func(body []byte, hash uint64) { SplitBlockAdd(body, []uint64{hash}) },
	} {
		file := make([]byte, 32*v.File.Blocks)
		for _, value := range v.File.Values {
			if got := xxhash.Sum64String(value.Value); got != uint64(value.Hash) {
				t.Errorf("%s: hash %#x", value.Value, got)
			}
			if got := SplitBlockOf(uint64(value.Hash), uint32(v.File.Blocks)); got != uint32(value.Block) {
				t.Errorf("%s: block %d", value.Value, got)
			}
			add(file, uint64(value.Hash))
		}
		if !bytes.Equal(file, v.Bits()) {
			t.Errorf("%s: other bytes than parquet-testing's", name)
		}
		for _, key := range v.OneKey {
			body := make([]byte, SplitBlockBytes)
			if add(body, uint64(key.Hash)); !bytes.Equal(body, key.Bytes) {
				t.Errorf("%s, hash %#x: % x", name, key.Hash, body)
			}
		}
		for _, whole := range v.Whole {
			body := make([]byte, 32*whole.Z)
			for _, hash := range vectors.Hashes(uint64(whole.Z), whole.N) {
				add(body, hash)
			}
			if got := xxhash.Sum64(body); got != uint64(whole.XXH64) {
				t.Errorf("%s, %d blocks: XXH64 %#x", name, whole.Z, got)
			}
		}
	}
	for _, hashed := range v.Hashes {
		if got := xxhash.Sum64(hashed.Bytes); got != uint64(hashed.Hash) {
			t.Errorf("%s: hash %#x", hashed.Type, got)
		}
	}
}

// TestSplitBlockAsTheNaiveFilter has numbers of blocks around powers of two, and all ways to add and
// to look up.
func TestSplitBlockAsTheNaiveFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, blocks := range []int{1, 2, 3, 5, 7, 8, 9, 63, 64, 65, 1000, 10_001} {
		hashes := make([]uint64, 1000)
		for i := range hashes {
			hashes[i] = r.Uint64() >> (i % 3 * 16)
		}
		hashes = append(hashes, 0, 1<<32-1, 1<<32, 1<<64-1)
		want, body := make([]byte, 32*blocks), make([]byte, 32*blocks)
		words := make([]uint64, len(body)/8)
		for _, hash := range hashes[:500] {
			absent := !naive.SplitBlockContains(want, hash)
			naive.SplitBlockAdd(want, hash)
			if SplitBlockAddKey(body, hash) != absent || SharedSplitBlockAdd(words, hash) != absent {
				t.Fatalf("%d blocks, hash %#x was absent: not %v", blocks, hash, absent)
			}
		}
		shared := make([]byte, len(body))
		for i, word := range words {
			binary.NativeEndian.PutUint64(shared[8*i:], word)
		}
		again := make([]byte, len(body))
		SplitBlockAdd(again, hashes[:500])
		if !bytes.Equal(body, want) || !bytes.Equal(shared, want) || !bytes.Equal(again, want) {
			t.Fatalf("%d blocks: other bits", blocks)
		}
		for n := range len(hashes) + 1 {
			if n > 70 && n < len(hashes)-70 {
				continue
			}
			wantHits := make([]uint64, (n+63)/64)
			for i, hash := range hashes[len(hashes)-n:] {
				if naive.SplitBlockContains(want, hash) {
					wantHits[i/64] |= 1 << (i % 64)
				}
				if hit := isHit(wantHits, i); SplitBlockContains(body, hash) != hit || SharedSplitBlockContains(words, hash) != hit {
					t.Fatalf("%d blocks, hash %#x: not %v", blocks, hash, hit)
				}
			}
			for name, look := range map[string]func(hits []uint64){
				"batch":        func(hits []uint64) { SplitBlockContainsBatch(body, hashes[len(hashes)-n:], hits) },
				"shared batch": func(hits []uint64) { SharedSplitBlockContainsBatch(words, hashes[len(hashes)-n:], hits) },
			} {
				hits := slices.Repeat([]uint64{^uint64(0)}, len(wantHits))
				if look(hits); !slices.Equal(hits, wantHits) {
					t.Fatalf("%s of %d in %d blocks", name, n, blocks)
				}
			}
		}
	}
}

func isHit(hits []uint64, i int) bool { return hits[i/64]>>(i%64)&1 != 0 }
