package simdbloom_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom"
	_ "github.com/simdbloom/simdbloom/blobloom"
	_ "github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	_ "github.com/simdbloom/simdbloom/legacy"
	_ "github.com/simdbloom/simdbloom/leveldb"
	_ "github.com/simdbloom/simdbloom/linear"
	_ "github.com/simdbloom/simdbloom/paired"
	_ "github.com/simdbloom/simdbloom/ribbon"
	_ "github.com/simdbloom/simdbloom/splitblock"
)

// TestAddingInEveryWay: builders of every format write the same bytes, and have the same length and size at every
// moment, whether keys are added by themselves, some together, or by their hashes, in the same order. The caller
// overwrites each key at once.
func TestAddingInEveryWay(t *testing.T) {
	own := keyhash.New("own", func(key []byte) uint64 { return keyhash.XX64.Sum64(key) * 3 })
	wide := []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, own}
	narrow := []keyhash.Hash{keyhash.RocksDB32, keyhash.LevelDB32}
	for format, hashes := range map[simdbloom.Format][]keyhash.Hash{
		simdbloom.FastLocal: wide, simdbloom.Paired: wide, simdbloom.Linear: wide, simdbloom.Ribbon: wide, simdbloom.SplitBlock: wide,
		simdbloom.Blobloom: wide, simdbloom.Legacy: narrow, simdbloom.LevelDB: narrow,
	} {
		for _, hash := range hashes {
			var options [][]simdbloom.Option
			options = append(options, nil, []simdbloom.Option{simdbloom.WithMaxBytes(4000)}, []simdbloom.Option{simdbloom.WithSizeBytes(64*40 + 5)})
			for i, o := range options {
				one, err := simdbloom.NewBuilder(format, 10, hash, o...)
				if err != nil {
					continue // the format has not this option
				}
				other, _ := simdbloom.NewBuilder(format, 10, hash, o...)
				t.Run(fmt.Sprint(format, " ", hash.Name(), " ", i), func(t *testing.T) {
					for seed := range uint64(8) {
						addInEveryWay(t, rand.New(rand.NewPCG(seed, 73*uint64(format)+uint64(i))), hash, one, other)
					}
				})
			}
		}
	}
}

func addInEveryWay(t *testing.T, random *rand.Rand, hash keyhash.Hash, b, want *simdbloom.Builder) {
	t.Helper()
	room := make([]byte, 300)
	for range 1 + random.IntN(4) {
		anySize := func() int { return []int{16, 16, 8, 8, 12, random.IntN(301)}[random.IntN(6)] }
		anyWay := func() int { return max(0, random.IntN(13)-5) }
		size, way, often, turns := anySize(), anyWay(), random.IntN(3), 50<<(2*random.IntN(3))
		for range random.IntN(1000) {
			switch random.IntN(turns) {
			case 0:
				size = anySize()
			case 1:
				way = anyWay()
			case 2, 3:
				size = 8 + random.IntN(9)
			}
			key := room[:size]
			if random.IntN(10) > 0 { // or the key before again
				for i := range key {
					key[i] = byte(random.Uint32())
				}
			}
			sum := hash.Sum64(key)
			switch way {
			default:
				b.Add(key)
			case 1:
				b.AddString(string(key))
			case 2, 3:
				value := random.Uint64()
				sum = hash.Sum64(binary.LittleEndian.AppendUint64(nil, value))
				b.AddUint64(value)
			case 4:
				b.AddKeys([][]byte{key, key})
				want.AddHash(sum)
			case 5:
				b.AddHash(sum)
			case 6:
				b.AddHashes([]uint64{sum, sum})
				want.AddHash(sum)
			case 7:
				b.AddUint64s([]uint64{7, 8})
				want.AddHash(hash.SumUint64(7))
				sum = hash.SumUint64(8)
			}
			want.AddHash(sum)
			if random.IntN(4) > 0 {
				clear(room)
			}
			if often == 0 && random.IntN(20) == 0 && (b.Len() != want.Len() || b.SizeBytes() != want.SizeBytes()) {
				t.Fatalf("%d keys in %d bytes, want %d in %d", b.Len(), b.SizeBytes(), want.Len(), want.SizeBytes())
			}
		}
		if often == 1 && random.IntN(4) == 0 {
			b.Reset()
			want.Reset()
		}
	}
	got, err := b.Finish()
	same, wantErr := want.Finish()
	if err != nil || wantErr != nil || !bytes.Equal(got, same) {
		t.Fatalf("other bytes than by hashes: %d and %d, %v, %v", len(got), len(same), err, wantErr)
	}
}
