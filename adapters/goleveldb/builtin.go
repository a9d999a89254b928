package goleveldb

import (
	"strconv"

	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/policy"
)

// BuiltIn returns goleveldb's own filter, of whole bits per key, under its own name: it writes
// the bytes of [filter.NewBloomFilter], and looks keys up in less time. Put it where a store has
// that one; put that one back, and nothing has changed.
//
// A lookup costs a cache line for each bit that it tests: all of a key's in filters below 128 KiB,
// in larger ones up to the first two of which one is not set. BuiltIn panics if bitsPerKey is not
// from 1 to 120.
func BuiltIn(bitsPerKey int) filter.Filter {
	if bitsPerKey < 1 || bitsPerKey > mostBuiltIn {
		panic("goleveldb: BuiltIn's bits per key must be from 1 to " + strconv.Itoa(mostBuiltIn) + ", not " + strconv.Itoa(bitsPerKey))
	}
	return &builtIn{policyFilter{*policy.LevelDB(float64(bitsPerKey))}}
}

// mostBuiltIn is the most bits per key for which goleveldb's bytes are known to be LevelDB's.
const mostBuiltIn = 120

// builtIn is a filter with goleveldb's name for it. (LevelDB has had another one, with a 2 at
// the end, since it hashes keys in this way.)
type builtIn struct{ policyFilter }

func (*builtIn) Name() string { return filter.NewBloomFilter(10).Name() }

// Contains is policyFilter's, with a call less.
func (*builtIn) Contains(data, key []byte) bool {
	return len(data) == 0 || leveldb.MayContain(data, key)
}
