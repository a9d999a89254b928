package bloom_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/keyhash"
)

// BenchmarkCalls looks up 64 Ki keys of 16 bytes a pass, half of them present, n in each call: by
// hashes, with answers in bools and in bits, and by keys. It reports the time as a multiple of that of n
// calls for one key, from medians of passes that take turns. Pin it to one CPU, and give it 9x or more.
func BenchmarkCalls(b *testing.B) {
	rocksDBs := contract.FastLocal.With(keyhash.XXPH3)
	rocksDBs.Name = "RocksDB's FastLocal"
	for _, c := range []struct {
		format     contract.Format
		bitsPerKey float64
	}{
		{contract.FastLocal, 10}, // 6 probes
		{rocksDBs, 10},
		{contract.FastLocal, 24}, // 12
		{contract.Paired128, 23.4},
		{contract.Linear, 16},
		{contract.Ribbon, 10},
		{contract.Ribbon, 23.4},
		{contract.Legacy, 10},
		{contract.LevelDB, 10},
		{contract.SplitBlock, 10},
		{contract.Blobloom, 10},
	} {
		for _, size := range []int{16 << 10, 1 << 20, 32 << 20} {
			b.Run(fmt.Sprintf("%s-%v/%dKiB", c.format.Name, c.bitsPerKey, size>>10), func(b *testing.B) {
				benchmarkCalls(b, c.format, c.bitsPerKey, int(float64(8*size)/c.bitsPerKey))
			})
		}
	}
}

func benchmarkCalls(b *testing.B, format contract.Format, bitsPerKey float64, present int) {
	const pool, pass = 1 << 18, 1 << 16
	key := func(i int) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, splitmix.Value(1, uint64(i))), uint64(i))
	}
	built := make([]uint64, present)
	for i := range built {
		built[i] = format.Hash.Sum64(key(i))
	}
	f := format.Opened(b, format.Build(b, bitsPerKey, built))
	memory, keys := make([]byte, 0, 16*pool), make([][]byte, pool)
	for i := range keys {
		memory = append(memory, key(rand.IntN(present)+rand.IntN(2)*present)...)
		keys[i] = memory[16*i:]
	}
	hashes := format.Hash.AppendHashes(nil, keys)
	var hits [pass]bool
	var bits [1]uint64
	ways := []struct {
		name        string
		ones, calls func(f *simdbloom.Filter, keys [][]byte, hashes []uint64, hits []bool, bits []uint64, n int)
	}{
		{"bools", hashByHash, func(f *simdbloom.Filter, _ [][]byte, hashes []uint64, hits []bool, _ []uint64, n int) {
			for i := 0; i+n <= len(hashes); i += n {
				f.ContainsHashes(hashes[i:i+n], hits[i:i+n])
			}
		}},
		{"bits", hashByHash, func(f *simdbloom.Filter, _ [][]byte, hashes []uint64, _ []bool, bits []uint64, n int) {
			for i := 0; i+n <= len(hashes); i += n {
				f.ContainsHashBits(hashes[i:i+n], bits)
			}
		}},
		{"keys", func(f *simdbloom.Filter, keys [][]byte, _ []uint64, hits []bool, _ []uint64, n int) {
			for i := 0; i+n <= len(keys); i += n {
				hits := hits[i : i+n]
				for j, key := range keys[i : i+n] {
					hits[j] = f.Contains(key)
				}
			}
		}, func(f *simdbloom.Filter, keys [][]byte, _ []uint64, hits []bool, _ []uint64, n int) {
			for i := 0; i+n <= len(keys); i += n {
				f.ContainsKeys(keys[i:i+n], hits[i:i+n])
			}
		}},
	}
	lengths := []int{2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24, 32, 48, 64}
	times, at := make(map[string][]time.Duration), 0
	for b.Loop() {
		for _, n := range lengths {
			for _, way := range ways {
				for i, look := range []func(*simdbloom.Filter, [][]byte, []uint64, []bool, []uint64, int){way.ones, way.calls} {
					at = (at + pass) % pool
					start := time.Now()
					look(f, keys[at:at+pass], hashes[at:at+pass], hits[:], bits[:], n)
					name := fmt.Sprint(way.name, n, "-", i)
					times[name] = append(times[name], time.Since(start))
				}
			}
		}
	}
	median := func(name string) float64 {
		slices.Sort(times[name])
		return float64(times[name][len(times[name])/2])
	}
	for _, way := range ways {
		for _, n := range lengths {
			name := fmt.Sprint(way.name, n)
			b.ReportMetric(median(name+"-1")/median(name+"-0"), name)
		}
		b.ReportMetric(median(fmt.Sprint(way.name, lengths[0], "-0"))/pass, way.name+"-ns/one")
	}
}

func hashByHash(f *simdbloom.Filter, _ [][]byte, hashes []uint64, hits []bool, _ []uint64, n int) {
	for i := 0; i+n <= len(hashes); i += n {
		hits := hits[i : i+n]
		for j, hash := range hashes[i : i+n] {
			hits[j] = f.ContainsHash(hash)
		}
	}
}
