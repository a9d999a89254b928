package pebble_test

import (
	"iter"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/internal/test/lookups"
	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// BenchmarkMayContain measures lookups of one key at a time by Pebble's interface, in
// Pebble's own filter and in simdbloom's. Each setting differs from the first in one
// thing; with -every there are all combinations, of which -bench chooses (all of them take
// longer than go test's 10 minutes):
//
//	go test -run '^$' -bench MayContain
//	go test -run '^$' -bench 'MayContain/filter=1MiB/key=(8|64)B/.*/present=half' -every
func BenchmarkMayContain(b *testing.B) {
	lookups.Benchmark(b, []lookups.Filter{
		{Name: "Pebble=10", BitsPerKey: 10, Loops: loops{bloom.FilterPolicy(10)}},
		{Name: "Legacy=10", BitsPerKey: 10, Loops: loops{simdbloom.Legacy(10)}},
		{Name: "FastLocal=10", BitsPerKey: 10, Loops: loops{simdbloom.FastLocal(10)}},
		{Name: "Paired=23.4", BitsPerKey: 23.4, Loops: loops{simdbloom.Paired(23.4)}},
		{Name: "Linear=10", BitsPerKey: 10, Loops: loops{simdbloom.Linear(10)}},
		{Name: "Linear=16", BitsPerKey: 16, Loops: loops{simdbloom.Linear(16)}},
	})
}

// BenchmarkCounted is the same with counters.
func BenchmarkCounted(b *testing.B) {
	var counters simdbloom.Counters
	lookups.Benchmark(b, []lookups.Filter{
		{Name: "Pebble=10", BitsPerKey: 10, Loops: loops{simdbloom.Counted(bloom.FilterPolicy(10), &counters)}},
		{Name: "FastLocal=10", BitsPerKey: 10, Loops: loops{simdbloom.Counted(simdbloom.FastLocal(10), &counters)}},
		{Name: "Paired=23.4", BitsPerKey: 23.4, Loops: loops{simdbloom.Counted(simdbloom.Paired(23.4), &counters)}},
	})
}

// loops has the loops that are measured.
type loops struct{ pebble.FilterPolicy }

func (l loops) Write(keys iter.Seq[[]byte]) []byte {
	w := l.NewWriter(pebble.TableFilter)
	for key := range keys {
		w.AddKey(key)
	}
	return w.Finish(nil)
}

func (l loops) Added(filters, keys [][]byte) (hits int) {
	at := 0
	for _, key := range keys {
		hits += tables.One(l.MayContain(pebble.TableFilter, filters[at], key))
		at = tables.Next(at, filters)
	}
	return hits
}

func (l loops) Branch(filters, keys [][]byte) (hits int) {
	at := 0
	for _, key := range keys {
		if l.MayContain(pebble.TableFilter, filters[at], key) {
			hits += tables.Read()
		}
		at = tables.Next(at, filters)
	}
	return hits
}
