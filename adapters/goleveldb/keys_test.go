package goleveldb_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
)

// keys are of 16 bytes, and of two kinds.
type keys func(n uint64) []byte

// numbers are keys such as user000000000042: neighbours differ in their last digits.
func numbers(n uint64) []byte { return fmt.Appendf(nil, "user%012d", n) }

// digests are keys such as bdd732262feb6e95, in which nothing is alike.
func digests(n uint64) []byte { return fmt.Appendf(nil, "%016x", splitmix.Value(0, n)) }

// present returns the i-th key of those that stores hold.
func (k keys) present(i int) []byte { return k(2 * uint64(i)) }

// absent returns the i-th of as many others, which lie between them.
func (k keys) absent(i int) []byte { return k(2*uint64(i) + 1) }

// presentKeys returns the first n of them.
func presentKeys(k keys, n int) [][]byte {
	present := make([][]byte, n)
	for i := range present {
		present[i] = k.present(i)
	}
	return present
}

// sorted returns the numbers of n present keys in the keys' order.
func (k keys) sorted(n int) []int {
	order, present := make([]int, n), presentKeys(k, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return bytes.Compare(present[i], present[j]) })
	return order
}

// value returns the i-th value: 100 bytes, which compression halves, as LevelDB's db_bench
// has them.
func value(i int) []byte {
	v := make([]byte, 100)
	random := rand.New(rand.NewPCG(uint64(i), 1))
	for at := 0; at < 48; at += 8 {
		binary.LittleEndian.PutUint64(v[at:], random.Uint64())
	}
	return v
}

// fill puts n keys into the store in an order of their own, and compacts it.
func fill(tb testing.TB, db *leveldb.DB, k keys, n int) {
	tb.Helper()
	batch := new(leveldb.Batch)
	for _, i := range rand.New(rand.NewPCG(2, 3)).Perm(n) {
		batch.Put(k.present(i), value(i))
		if batch.Len() == 1000 {
			check(tb, db.Write(batch, nil))
			batch.Reset()
		}
	}
	check(tb, db.Write(batch, nil))
	check(tb, db.CompactRange(util.Range{}))
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
