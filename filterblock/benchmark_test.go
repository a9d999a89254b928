package filterblock_test

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// tableKeys is how many keys the table of the benchmarks has: numbers, every other one.
const tableKeys = 10_000_000

// putKey writes key n in 16 bytes. Odd numbers are absent.
func putKey(key []byte, n uint64) []byte {
	key = append(key[:0], "user:key"...)
	return binary.BigEndian.AppendUint64(key, n)
}

// BenchmarkAdd takes in one key. With partitions it also builds them.
func BenchmarkAdd(b *testing.B) {
	fixed := extractor(b, "fixed:15")
	for _, c := range []struct {
		name string
		o    filterblock.Options
	}{
		{"keys", filterblock.Options{WholeKeys: true}},
		{"keys+prefixes", filterblock.Options{WholeKeys: true, Prefix: fixed}},
		{"keys/partitions", filterblock.Options{WholeKeys: true, PartitionBytes: 4096, Store: noStore}},
		{"keys+prefixes/partitions", filterblock.Options{WholeKeys: true, Prefix: fixed, PartitionBytes: 4096, Store: noStore}},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := newWriter(b, parse(b, "bloomfilter:10"), c.o)
			key := make([]byte, 0, 16)
			b.ReportAllocs()
			for i := range b.N {
				if i%1_000_000 == 0 {
					finish(b, w)
				}
				key = putKey(key, 2*uint64(i))
				w.Add(key)
			}
			finish(b, w)
		})
	}
}

// table is a filter in partitions of 4 KiB over tableKeys keys.
var table = sync.OnceValue(func() (t struct{ index, data []byte }) {
	p, err := policy.Parse("bloomfilter:10")
	if err != nil {
		panic(err)
	}
	w, err := filterblock.NewWriter(p, filterblock.Options{
		WholeKeys: true, PartitionBytes: 4096,
		Store: func(partition []byte) (filterblock.Handle, error) {
			h := filterblock.Handle{Offset: uint64(len(t.data)), Size: uint64(len(partition))}
			t.data = append(append(t.data, partition...), 0, 0, 0, 0, 0)
			return h, nil
		},
	})
	if err != nil {
		panic(err)
	}
	key := make([]byte, 0, 16)
	for i := range uint64(tableKeys) {
		key = putKey(key, 2*i)
		w.Add(key)
	}
	if t.index, err = w.Finish(); err != nil {
		panic(err)
	}
	return t
})

func openTable(b *testing.B, load func(filterblock.Handle) ([]byte, error)) *filterblock.Reader {
	b.Helper()
	r, err := filterblock.OpenPartitioned(parse(b, "bloomfilter:10"), table().index, load, filterblock.ReadOptions{WholeKeys: true})
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func fromMemory(h filterblock.Handle) ([]byte, error) {
	return table().data[h.Offset : h.Offset+h.Size], nil
}

// randomKeys returns sorted keys among the given share of the table, half of them absent.
func randomKeys(random *rand.Rand, n int, share uint64) [][]byte {
	most := uint64(2*tableKeys) / share
	first := random.Uint64N(2*tableKeys - most + 1)
	numbers := make([]uint64, n)
	for i := range numbers {
		numbers[i] = first + random.Uint64N(most)
	}
	slices.Sort(numbers)
	keys := make([][]byte, n)
	for i, number := range numbers {
		keys[i] = putKey(make([]byte, 0, 16), number)
	}
	return keys
}

// BenchmarkMayContain looks up one random key in partitions that are in memory, and in one piece.
func BenchmarkMayContain(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	keys := randomKeys(random, 1<<16, 1)
	random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for _, c := range []struct {
		name string
		r    *filterblock.Reader
	}{{"partitions", openTable(b, fromMemory)}, {"one piece", openPiece(b)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				c.r.MayContain(keys[i%len(keys)])
			}
		})
	}
}

// openPiece opens a filter in one piece over the keys of table.
func openPiece(b *testing.B) *filterblock.Reader {
	b.Helper()
	p := parse(b, "bloomfilter:10")
	w := newWriter(b, p, filterblock.Options{WholeKeys: true})
	key := make([]byte, 0, 16)
	for i := range uint64(tableKeys) {
		key = putKey(key, 2*i)
		w.Add(key)
	}
	block, err := w.Finish()
	if err != nil {
		b.Fatal(err)
	}
	r, err := filterblock.Open(p, block, filterblock.ReadOptions{WholeKeys: true})
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// BenchmarkMayContainKeys looks up 4096 sorted keys one by one, and others in a batch, in turn. It
// reports medians in nanoseconds a key, and the batch's share of the time of one by one. The keys
// are spread over the whole table, or over a part of it; partitions are in memory, or read from a
// file each time.
//
//	go test -run '^$' -bench MayContainKeys -benchtime 50x ./filterblock
func BenchmarkMayContainKeys(b *testing.B) {
	name := b.TempDir() + "/filter"
	if err := os.WriteFile(name, table().data, 0o600); err != nil {
		b.Fatal(err)
	}
	stored, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer stored.Close()
	fromFile := func(h filterblock.Handle) ([]byte, error) {
		partition := make([]byte, h.Size)
		_, err := stored.ReadAt(partition, int64(h.Offset))
		return partition, err
	}
	for _, from := range []struct {
		name string
		load func(filterblock.Handle) ([]byte, error)
	}{{"memory", fromMemory}, {"file", fromFile}} {
		for _, share := range []struct {
			name string
			of   uint64
		}{{"whole table", 1}, {"a tenth", 10}, {"a hundredth", 100}} {
			b.Run(from.name+"/"+share.name, func(b *testing.B) { benchmarkBatch(b, openTable(b, from.load), share.of) })
		}
	}
}

func benchmarkBatch(b *testing.B, r *filterblock.Reader, share uint64) {
	const together = 4096
	random := rand.New(rand.NewPCG(3, 4))
	hits := make([]bool, together)
	var single, batch []time.Duration
	for range b.N {
		turns := []func(){
			func() {
				keys := randomKeys(random, together, share)
				start := time.Now()
				for i, key := range keys {
					hits[i] = r.MayContain(key)
				}
				single = append(single, time.Since(start))
			},
			func() {
				keys := randomKeys(random, together, share)
				start := time.Now()
				r.MayContainKeys(keys, hits)
				batch = append(batch, time.Since(start))
			},
		}
		random.Shuffle(2, func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		turns[0]()
		turns[1]()
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2].Nanoseconds()) / together
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(single), "ns/key-single")
	b.ReportMetric(median(batch), "ns/key-batch")
	b.ReportMetric(median(batch)/median(single), "share")
}
