package goleveldb_test

import (
	"iter"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/internal/test/lookups"
	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// BenchmarkMayContain measures lookups of one key at a time by goleveldb's interface, in
// LevelDB's own filter and in simdbloom's. Each setting differs from the first in one
// thing; with -every there are all combinations, of which -bench chooses (all of them take
// longer than go test's 10 minutes):
//
//	go test -run '^$' -bench MayContain
//	go test -run '^$' -bench 'MayContain/filter=1MiB/key=(8|64)B/.*/present=half' -every
func BenchmarkMayContain(b *testing.B) {
	lookups.Benchmark(b, []lookups.Filter{
		{Name: "LevelDB=10", BitsPerKey: 10, Loops: loops{filter.NewBloomFilter(10)}},
		{Name: "BuiltIn=10", BitsPerKey: 10, Loops: loops{goleveldb.BuiltIn(10)}},
		{Name: "FastLocal=10", BitsPerKey: 10, Loops: loops{goleveldb.FastLocal(10)}},
		{Name: "Paired=23.4", BitsPerKey: 23.4, Loops: loops{goleveldb.Paired(23.4)}},
		{Name: "Linear=10", BitsPerKey: 10, Loops: loops{goleveldb.Linear(10)}},
		{Name: "Linear=16", BitsPerKey: 16, Loops: loops{goleveldb.Linear(16)}},
	})
}

// loops has the loops that are measured.
type loops struct{ filter.Filter }

func (l loops) Write(keys iter.Seq[[]byte]) []byte {
	var buffer util.Buffer
	g := l.NewGenerator()
	for key := range keys {
		g.Add(key)
	}
	g.Generate(&buffer)
	return buffer.Bytes()
}

func (l loops) Added(filters, keys [][]byte) (hits int) {
	at := 0
	for _, key := range keys {
		hits += tables.One(l.Contains(filters[at], key))
		at = tables.Next(at, filters)
	}
	return hits
}

func (l loops) Branch(filters, keys [][]byte) (hits int) {
	at := 0
	for _, key := range keys {
		if l.Contains(filters[at], key) {
			hits += tables.Read()
		}
		at = tables.Next(at, filters)
	}
	return hits
}
