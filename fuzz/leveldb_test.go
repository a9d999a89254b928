package fuzz

import (
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// FuzzLevelDBKernels does what FuzzFastLocalKernels does for LevelDB's filters, of any size and up to 30 probes.
func FuzzLevelDBKernels(f *testing.F) {
	addKernels(f, [][]byte{nil, {0xff}, []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff"), []byte("some bytes")})
	all, p := levels(), newPlaces(f)
	f.Fuzz(func(t *testing.T, level, probes, size, place byte, piece, queried []byte, more uint16) {
		defer cpu.Limit(all[int(level)%len(all)])()
		k := int(probes) % (asm.MaxProbes + 1)
		body, hashes := p.put(1+int(size)*int(size)/2, place, piece, queried, more)
		modulus := fallback.NewModulus(8 * uint64(len(body)))
		add := func(body []byte, hashes []uint64) { fallback.LevelDBAdd(body, modulus, k, hashes) } // has no kernel
		p.check(t, kernels{
			func(body []byte, hash uint64) bool {
				prepared := asm.NewLevelDB(body, k)
				contains := prepared.Contains(hash)
				if once := fallback.LevelDBContainsOnce(body, k, hash); contains != once {
					t.Fatalf("hash %#x: not %v without a modulus", hash, contains)
				}
				return contains
			},
			func(body []byte, hash uint64) bool { return fallback.LevelDBContains(body, modulus, k, hash) },
			func(body []byte) asm.Kernel { return asm.NewLevelDB(body, k) },
			add, add,
		}, body, hashes, place)
	})
}

// mostNarrowBits is the size of the largest filters of a target whose bits per key have no limit.
const mostNarrowBits = 1 << 26

// FuzzBuildLevelDB does what FuzzBuildFastLocal does, at every level. A hash that follows itself is kept.
func FuzzBuildLevelDB(f *testing.F) {
	addBuilds(f)
	all := levels()
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		for _, level := range all {
			restore := cpu.Limit(level)
			buildNarrow(t, leveldb.NewBuilder, keyhash.LevelDB32, bpk, seed, n, recipe, options, feedAll, func(hashes []uint32, bitsPerKey uint64) []byte {
				return naive.LevelDB(hashes, int(bitsPerKey))
			})
			restore()
		}
	})
}

// buildNarrow builds a filter of hashes of 32 bits, and compares it with the naive one, which is given whole bits per
// key.
func buildNarrow(t *testing.T, newBuilder func(float64, keyhash.Hash, ...simdbloom.Option) (*simdbloom.Builder, error), hash keyhash.Hash,
	bpk float64, seed uint64, n uint16, recipe []byte, options byte,
	feed func(*simdbloom.Builder, []uint64, []byte) []uint64, naively func(hashes []uint32, bitsPerKey uint64) []byte,
) {
	t.Helper()
	b, err := newBuilder(bpk, hash, simdbloom.WithConcurrency(goroutines(options)), simdbloom.WithVerification())
	if !accepted(t, bpk, err) || bpk*float64(n) > mostNarrowBits {
		return
	}
	all := vectors.Hashes(seed, int(n))
	for i := range all {
		all[i] &= 1<<32 - 1
	}
	all = feed(b, all, recipe)
	hashes := make([]uint32, len(all))
	for i, hash := range all {
		hashes[i] = uint32(hash)
	}
	product := float64(max(bpk, 1) * 1000) // not fused with the sum
	checkBuild(t, b, all, naively(hashes, (uint64(product+0.500001)+500)/1000))
}
