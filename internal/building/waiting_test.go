package building

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// keeper is a Scheme that keeps the hashes of a filter.
type keeper struct {
	InOrder
	hashes []uint64
}

func (*keeper) Size(log *hashlog.Log) (bytes uint64, allowed bool) { return uint64(log.Len()), true }

func (k *keeper) Build(log *hashlog.Log, _ int, memory Memory) ([]byte, error) {
	for some := range log.All() {
		k.hashes = append(k.hashes, some...)
	}
	return memory(uint64(log.Len()), true)
}

// TestKeysThatWait are in the filter in the order in which they were added, whatever is called between them. Without
// KeepEqual those that equal the one before are not.
func TestKeysThatWait(t *testing.T) {
	for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, keyhash.RocksDB32} {
		for seed := range uint64(60) {
			random, scheme := rand.New(rand.NewPCG(seed, 7)), new(keeper)
			keepEqual := seed%3 == 0
			b := New(scheme, nil, hash, &Options{Concurrency: 1, KeepEqual: keepEqual})
			var want []uint64
			for range random.IntN(12) {
				size, room := []int{8, 8, 16, 16, 12}[random.IntN(5)], make([]byte, 16)
				for range random.IntN(300) {
					key := room[:size]
					binary.LittleEndian.PutUint64(key, random.Uint64()>>random.IntN(64)) // small ones are often equal
					if want = append(want, hash.Sum64(key)); size == 8 && seed%2 == 0 {
						b.AddUint64(binary.LittleEndian.Uint64(key))
					} else {
						b.Add(key)
					}
				}
				values := vectors.Hashes(seed, random.IntN(3000))
				switch random.IntN(8) {
				case 0:
					b.AddHashes(values)
					want = append(want, values...)
				case 1:
					b.AddHash(77)
					want = append(want, 77)
				case 2:
					b.AddColumn(keyhash.Values(values))
					want = hash.AppendColumn(want, keyhash.Values(values))
				case 3:
					b.AddKeys([][]byte{{1}, {2, 3}})
					want = append(want, hash.Sum64([]byte{1}), hash.Sum64([]byte{2, 3}))
				case 4:
					b.Reset()
					want = nil
				case 5:
					if !keepEqual {
						want = slices.Compact(want)
					}
					if b.Len() != len(want) || b.SizeBytes() != len(want) {
						t.Fatalf("%s, seed %d: %d keys, want %d", hash.Name(), seed, b.Len(), len(want))
					}
				}
			}
			if !keepEqual {
				want = slices.Compact(want)
			}
			if _, err := b.Finish(); err != nil || !slices.Equal(scheme.hashes, want) || b.Len() != 0 {
				t.Fatalf("%s, seed %d: %d other hashes, want %d, %v", hash.Name(), seed, len(scheme.hashes), len(want), err)
			}
		}
	}
}

// TestMixedHashes: hashes in lists are mixed, and those that are in order are not. Verification finds all of them, and
// one that is missing.
func TestMixedHashes(t *testing.T) {
	flip := func(dst, hashes []uint64) {
		for i, hash := range hashes {
			dst[i] = ^hash
		}
	}
	hashes := vectors.Hashes(3, 20_000)
	for _, from := range []uint64{1, 1 << 30} {
		for _, forget := range []bool{false, true} {
			p := &pliant{bytesPerHash: 2, most: asm.MaxBodyBytes, unit: 1}
			layOut := func(hashes uint64) Format {
				f := p.layOut(hashes)
				f.Fill = func(body []byte, part Part, f Format) {
					for some := range part.Hashes() {
						plain := slices.Clone(some)
						if part.Mixed() {
							flip(plain, some)
						}
						if forget {
							plain, forget = plain[1:], false
						}
						asm.FastLocalAdd(body, f.Probes, plain)
					}
				}
				return f
			}
			missing := forget
			b := newBuilder(layOut, Options{Concurrency: 1, Verification: true, ListsFrom: from, Mix: hashlog.Mix{Do: flip, Undo: flip}})
			b.AddHashes(hashes[:19_000])
			for _, hash := range hashes[19_000:] {
				b.AddHash(hash)
			}
			data, err := b.Finish()
			if (err == ErrVerification) != missing || err != nil && !missing {
				t.Errorf("lists from %d bytes, a hash missing %v: %v", from, missing, err)
			} else if !missing {
				hits, kernel := make([]bool, len(hashes)), asm.NewFastLocal(data[:len(data)-trailerBytes], 6)
				if kernel.ContainsBools(hashes, hits); slices.Contains(hits, false) {
					t.Errorf("lists from %d bytes: a hash is missing", from)
				}
			}
		}
	}
}
