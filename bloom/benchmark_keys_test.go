package bloom_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/keyhash"
)

// BenchmarkKeys looks up 64 Ki keys a pass, half of them present, n in each call, or all in one: keys of several lengths, one
// behind the other or scattered over 64 MiB. One by one they are passed to Contains.
func BenchmarkKeys(b *testing.B) {
	rocksDBs := contract.FastLocal.With(keyhash.XXPH3)
	rocksDBs.Name = "RocksDB's FastLocal"
	for _, c := range []struct {
		format     contract.Format
		bitsPerKey float64
	}{{contract.FastLocal, 10}, {rocksDBs, 10}, {contract.SplitBlock, 10}, {contract.Paired128, 23.4}, {contract.Linear, 16}} {
		for _, size := range []int{16 << 10, 1 << 20, 32 << 20} {
			for _, length := range []int{16, 8, 20, 24, 32, 64, 0} {
				for _, apart := range []int{0, 256} {
					name := fmt.Sprintf("%s/%dKiB/%d", c.format.Name, size>>10, length)
					if length == 0 {
						name = fmt.Sprintf("%s/%dKiB/0to64", c.format.Name, size>>10)
					}
					if apart > 0 {
						name += "scattered"
					}
					b.Run(name, func(b *testing.B) { benchmarkKeys(b, c.format, c.bitsPerKey, size, length, apart) })
				}
			}
		}
	}
}

func benchmarkKeys(b *testing.B, format contract.Format, bitsPerKey float64, size, length, apart int) {
	const pool, pass = 1 << 16, 1 << 16
	present := int(float64(8*size) / bitsPerKey)
	key := func(room []byte, i int) []byte {
		n := length
		word := splitmix.Value(1, uint64(i))
		if n == 0 {
			n = 8 + int(word>>32%57)
		}
		for at := 0; at < n; at += 8 {
			room = binary.LittleEndian.AppendUint64(room, word*uint64(at+1))
		}
		return room[:n]
	}
	built, room := make([]uint64, present), make([]byte, 0, 72)
	for i := range built {
		built[i] = format.Hash.Sum64(key(room, i))
	}
	f := format.Opened(b, format.Build(b, bitsPerKey, built))
	stride := max(apart, length)
	if stride == 0 {
		stride = 64
	}
	memory, keys := make([]byte, stride*pool+8), make([][]byte, pool)
	places := rand.Perm(pool)
	for i := range keys {
		at := i
		if apart > 0 {
			at = places[i]
		}
		keys[i] = key(memory[stride*at:stride*at:stride*at+stride+8], rand.IntN(present)+rand.IntN(2)*present)
	}
	var hits [pass]bool
	for _, n := range []int{1, 8, 32, 64, pass} {
		name := fmt.Sprint(n)
		if n == pass {
			name = "all"
		}
		b.Run(name, func(b *testing.B) {
			at := 0
			for b.Loop() {
				at = (at + pass) % pool
				keys := keys[at : at+pass]
				for i := 0; i < pass; i += n {
					if n == 1 {
						hits[i] = f.Contains(keys[i])
					} else {
						f.ContainsKeys(keys[i:i+n], hits[i:i+n])
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pass, "ns/key")
		})
	}
}
