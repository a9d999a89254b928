package goleveldb

import (
	"strconv"

	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/policy"
)

// BuiltIn returns goleveldb's own filter under its own name. It reads and writes the same bytes as
// [filter.NewBloomFilter], and is faster. So a store can change from either to the other at any time, and needs
// no other change.
//
// A lookup costs a cache line for each bit that it tests: all of a key's in filters below 128 KiB,
// in larger ones up to the first two of which one is not set. BuiltIn panics if bitsPerKey is not
// from 1 to 120.
func BuiltIn(bitsPerKey int) filter.Filter {
	if bitsPerKey < 1 || bitsPerKey > mostBuiltIn {
		panic("goleveldb: BuiltIn's bits per key must be from 1 to " + strconv.Itoa(mostBuiltIn) + ", not " + strconv.Itoa(bitsPerKey))
	}
	return &builtIn{policyFilter{*policy.LevelDB(float64(bitsPerKey))}, bitsPerKey}
}

// mostBuiltIn is the most bits per key for which goleveldb's bytes are known to be LevelDB's.
const mostBuiltIn = 120

// builtIn is a filter with goleveldb's name for it. (LevelDB has had another one, with a 2 at
// the end, since it hashes keys in this way.)
type builtIn struct {
	policyFilter
	bitsPerKey int
}

func (*builtIn) Name() string { return filter.NewBloomFilter(10).Name() }

// Contains is policyFilter's, with a call less.
func (*builtIn) Contains(data, key []byte) bool {
	return len(data) == 0 || leveldb.MayContain(data, key)
}

func (f *builtIn) NewGenerator() filter.FilterGenerator {
	return &builtInGenerator{large: generator{builder: f.policy.NewBuilder()}, bitsPerKey: f.bitsPerKey}
}

// builtInGenerator builds small filters without a Builder, which costs 0.1 microseconds more for each:
// by default goleveldb has one for every 2 KiB of a table.
type builtInGenerator struct {
	hashes     []uint64 // that the Builder does not have
	built      []byte   // memory for small filters
	large      generator
	bitsPerKey int
}

// mostSmall is the number of keys above which the Builder has all.
const mostSmall = 4096

func (g *builtInGenerator) Add(key []byte) {
	if len(g.hashes) == mostSmall {
		g.large.builder.AddHashes(g.hashes)
		g.hashes = g.hashes[:0]
	}
	g.hashes = append(g.hashes, keyhash.LevelDB32.Sum64(key))
}

func (g *builtInGenerator) Generate(b filter.Buffer) {
	if g.large.builder.Len() == 0 {
		g.built = leveldb.AppendFilter(g.built[:0], g.bitsPerKey, g.hashes)
		b.Write(g.built)
	} else {
		g.large.builder.AddHashes(g.hashes)
		g.large.Generate(b)
	}
	g.hashes = g.hashes[:0]
}
