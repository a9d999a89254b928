package digests

import (
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom/leveldb"
)

// levelDBResults has digests of LevelDB's filters and filter blocks, whose hashes have 32 bits.
func levelDBResults(t *testing.T) (all []result) {
	for i, bitsPerKey := range []float64{1, 5, 10, 16, 23, 50} {
		for j, n := range []int{0, 1, 2, 100, 3000, 20_000, mostAdded} {
			f := levelDB{bitsPerKey: bitsPerKey, keys: n, signed: (i+j)%2 == 1}
			data := f.build(t)
			all = append(all, result{f.String() + ": bytes", "one by one", digestOf(data)})
			all = append(all, f.answers(t, data)...)
		}
	}
	for _, baseLg := range []int{4, 11, 16} {
		b := leveldb.NewBlockBuilder(10, baseLg)
		for i, key := range keys()[:5000] {
			if i%9 == 0 {
				b.StartBlock(uint64(150 * i))
			}
			b.Add(key)
		}
		all = append(all, result{fmt.Sprintf("LevelDB's filter block, base %d: bytes", baseLg), "one by one", digestOf(b.Finish())})
	}
	return all
}

// levelDB is a filter that is built and queried.
type levelDB struct {
	bitsPerKey float64
	keys       int
	signed     bool
}

func (f levelDB) String() string {
	return fmt.Sprintf("LevelDB, %g bits per key, %d keys, signed %v", f.bitsPerKey, f.keys, f.signed)
}

func (f levelDB) options() []leveldb.Option {
	if f.signed {
		return []leveldb.Option{leveldb.WithSignedHash()}
	}
	return nil
}

func (f levelDB) build(t *testing.T) []byte {
	t.Helper()
	b, err := leveldb.NewBuilder(f.bitsPerKey, f.options()...)
	if err != nil {
		t.Fatal(f, err)
	}
	b.AddKeys(keys()[:f.keys])
	data, err := b.Finish()
	if err != nil {
		t.Fatal(f, err)
	}
	return data
}

func (f levelDB) answers(t *testing.T, data []byte) []result {
	t.Helper()
	opened, err := leveldb.Open(data, f.options()...)
	if err != nil {
		t.Fatal(f, err)
	}
	hash := leveldb.Hash
	if f.signed {
		hash = leveldb.SignedHash
	}
	return narrowAnswers(f.String(), "", opened, hash, f.keys)
}
