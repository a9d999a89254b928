package goleveldb_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
)

type named struct {
	name   string
	filter filter.Filter
}

var measured = []named{
	{"LevelDB:10", filter.NewBloomFilter(10)},
	{"LevelDB:16", filter.NewBloomFilter(16)},
	{"LevelDB:23", filter.NewBloomFilter(23)},
	{"FastLocal:10", goleveldb.FastLocal(10)},
	{"FastLocal:16", goleveldb.FastLocal(16)},
	{"Paired:23.4", goleveldb.Paired(23.4)},
	{"Linear:16", goleveldb.Linear(16)},
}

// BenchmarkAbsentGet measures Gets of absent keys from a store whose index and filter blocks
// are in the cache and whose data blocks never are. docs/goleveldb.md says what follows.
func BenchmarkAbsentGet(b *testing.B) {
	for _, k := range []kind{{"numbers", numbers, stored}, manyDigests} {
		for _, m := range measured {
			for _, base := range []int{11, 13, 15, 17, 19, 21, baseLg} {
				benchmarkAbsentGet(b, fmt.Sprintf("%s/%s/base=%d", k.name, m.name, base), k, &opt.ReadOptions{DontFillCache: true},
					&opt.Options{Filter: m.filter, FilterBaseLg: base, BlockCacheCapacity: 512 * opt.MiB})
			}
		}
	}
}

// BenchmarkCache is the same with a cache that all blocks go to, of goleveldb's 8 MiB or of
// less, and with goleveldb's pool of buffers and without.
func BenchmarkCache(b *testing.B) {
	for _, m := range append(measured, named{"none", nil}) {
		for _, mib := range []int{1, 2, 8} {
			for _, pool := range []bool{true, false} {
				benchmarkAbsentGet(b, fmt.Sprintf("%s/%dMiB/pool=%v", m.name, mib, pool), manyDigests, nil, &opt.Options{
					Filter: m.filter, FilterBaseLg: baseLg, BlockCacheCapacity: mib * opt.MiB, DisableBufferPool: !pool,
				})
			}
		}
	}
}

// BenchmarkLargeTable is BenchmarkAbsentGet where one table holds all keys.
func BenchmarkLargeTable(b *testing.B) {
	for _, m := range measured {
		benchmarkAbsentGet(b, m.name, manyDigests, &opt.ReadOptions{DontFillCache: true}, &opt.Options{
			Filter: m.filter, FilterBaseLg: baseLg, BlockCacheCapacity: 512 * opt.MiB, CompactionTableSize: 256 * opt.MiB,
		})
	}
}

const stored = 500_000

// kind is a kind of keys, with the number of absent ones that lie between those stored.
type kind struct {
	name   string
	keys   keys
	absent int
}

var manyDigests = kind{"digests", digests, 1 << 30}

// benchmarkAbsentGet fills a store, compacts it, and gets absent keys.
func benchmarkAbsentGet(b *testing.B, name string, k kind, how *opt.ReadOptions, o *opt.Options) {
	var (
		db    *leveldb.DB
		files = &countedReads{Storage: storage.NewMemStorage()}
		f     = &counted{Filter: o.Filter}
	)
	if o.Filter != nil {
		o.Filter = f
	}
	o.DisableSeeksCompaction = true
	b.Run(name, func(b *testing.B) {
		get := func(n int) {
			random := rand.New(rand.NewPCG(uint64(n), 4))
			for range n {
				if _, err := db.Get(k.keys.absent(random.IntN(k.absent)), how); !errors.Is(err, leveldb.ErrNotFound) {
					b.Fatal(err)
				}
			}
		}
		if db == nil {
			var err error
			db, err = leveldb.Open(files, o)
			check(b, err)
			fill(b, db, k.keys, stored)
			get(20_000) // index and filter blocks get into the cache
		}
		queried, maybe, reads, read := f.queried.Load(), f.maybe.Load(), files.reads.Load(), files.bytes.Load()
		b.ResetTimer()
		get(b.N)
		gets := float64(b.N)
		b.ReportMetric(float64(f.queried.Load()-queried)/gets, "queried/Get")
		b.ReportMetric(float64(f.maybe.Load()-maybe)/gets, "false/Get")
		b.ReportMetric(float64(files.reads.Load()-reads)/gets, "reads/Get")
		b.ReportMetric(float64(files.bytes.Load()-read)/gets/1024, "KiB/Get")
		var stats leveldb.DBStats
		check(b, db.Stats(&stats))
		b.ReportMetric(float64(stats.BlockCacheSize)/opt.MiB, "MiB-cached")
		if o.Filter != nil {
			b.ReportMetric(8*float64(f.bytes.Load())/float64(f.keys.Load()), "bits/key")
			b.ReportMetric(float64(f.keys.Load())/float64(f.filters.Load()), "keys/filter")
		}
	})
	if db != nil {
		check(b, db.Close())
	}
}

func generate(g filter.FilterGenerator, b filter.Buffer, keys [][]byte) {
	for _, key := range keys {
		g.Add(key)
	}
	g.Generate(b)
}
