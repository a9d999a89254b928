package leveldb_test

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/levelblock"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

func TestContract(t *testing.T) {
	contract.Test(t, contract.LevelDB)
	t.Run("signed", func(t *testing.T) { contract.TestQueries(t, contract.LevelDB.With(keyhash.RocksDB32)) })
}

func TestArguments(t *testing.T) { contract.TestArguments(t, contract.LevelDB) }

func TestFigures(t *testing.T) { contract.TestFigures(t, contract.LevelDB) }

// keys have two hashes in many cases.
var keys = vectors.Keys("bin", 0, 6000)

// TestKeys builds filters with either hash, with repetitions, which count, and compares bytes and
// lookups with the naive ones.
func TestKeys(t *testing.T) {
	added := slices.Concat(keys[:3000], keys[2999:3000], keys[2900:3000])
	for hash, signed := range map[keyhash.Hash]bool{{}: false, keyhash.LevelDB32: false, keyhash.RocksDB32: true} {
		var hashes []uint32
		for _, key := range added {
			hashes = append(hashes, naive.LevelDBHash(key, signed))
		}
		data := build(t, 10.4, added, hash)
		if !bytes.Equal(data, naive.LevelDB(hashes, 10)) {
			t.Fatalf("signed is %v: other bytes", signed)
		}
		sums := cmp.Or(hash, keyhash.LevelDB32).AppendHashes(nil, added)
		if before := []byte("before"); !bytes.Equal(leveldb.AppendFilter(before, 10, sums), slices.Concat(before, data)) {
			t.Fatalf("signed is %v: AppendFilter appends other bytes", signed)
		}
		f, hits := contract.Must(leveldb.Open(data, hash)), make([]bool, len(keys))
		f.ContainsKeys(keys, hits)
		others := 0
		for i, key := range keys {
			want := naive.LevelDBContains(data, naive.LevelDBHash(key, signed))
			if hits[i] != want || i < 3000 && !want || f.Contains(key) != want || f.ContainsString(string(key)) != want {
				t.Fatalf("signed is %v, key %x: not %v", signed, key, want)
			}
			if other := leveldb.MayContain(data, key); !signed && other != want {
				t.Fatalf("key %x: MayContain is not %v", key, want)
			} else if i < 3000 && !other {
				others++
			}
		}
		if signed && others < 100 {
			t.Error("the hash makes no difference")
		}
	}
}

func TestBitsPerKeyAreRounded(t *testing.T) {
	for bitsPerKey, want := range map[float64]int{
		0.5: 1, 0.9: 1, 1: 1, 1.4994: 1, 1.4995: 2, 1.5: 2, 2.49: 2, 9.5: 10, 10: 10, 10.499: 10, 23.4: 23, 99.7: 100, 100: 100, 371.6: 372, 1000: 1000,
	} {
		if got := len(build(t, bitsPerKey, keys[:200], keyhash.Hash{})); got != want*200/8+1 {
			t.Errorf("%v bits per key: %d bytes, not %d", bitsPerKey, got, want*200/8+1)
		}
	}
}

func TestAppendFilterNeedsABitPerKey(t *testing.T) {
	for bitsPerKey, fits := range map[int]bool{math.MinInt: false, 0: false, 1: true} {
		if says := contract.Panic(func() { leveldb.AppendFilter(nil, bitsPerKey, []uint64{1}) }); (says == "") != fits {
			t.Errorf("%d bits per key: %q", bitsPerKey, says)
		}
	}
}

// TestTooLarge has bits per key that no filter has room for, and the most that one has.
func TestTooLarge(t *testing.T) {
	for _, bitsPerKey := range []float64{1 << 32, 1e15, math.MaxFloat64} {
		b := contract.LevelDB.Builder(t, bitsPerKey)
		b.AddString("key")
		if b.SizeBytes() < 1<<29 {
			t.Errorf("%v bits per key: %d bytes", bitsPerKey, b.SizeBytes())
		}
		contract.TestTooLarge(t, b)
		if data := contract.LevelDB.Finish(t, b); len(data) != 9 {
			t.Errorf("%v bits per key without keys: %x", bitsPerKey, data)
		}
	}
	b := contract.LevelDB.Builder(t, 1<<32-8) // the largest that fits
	b.AddHash(1)
	if got := b.SizeBytes(); got != 1<<29 {
		t.Errorf("%d bytes", got)
	}
}

// TestMaxBytes has the sizes and the probes of filters within limits, and their rates.
func TestMaxBytes(t *testing.T) {
	const n, whole = 5000, 6251
	hashes := keyhash.LevelDB32.AppendHashes(nil, keys[:n])
	for _, most := range []int{9, 10, 100, 3000, 6250, whole, whole + 1, 100_000} {
		data := contract.LevelDB.Build(t, 10, hashes, simdbloom.WithMaxBytes(most))
		k := 6
		if most < whole {
			k = max(1, 8*(most-1)/n*69/100) // of the bits per key that there are
		}
		f := open(t, data)
		if len(data) != min(most, whole) || f.NumProbes() != k || int(data[len(data)-1]) != k || len(f.AppendHits(nil, hashes)) != n {
			t.Fatalf("within %d bytes: %d, %d probes, want %d, or keys are missing", most, len(data), f.NumProbes(), k)
		}
		if p, e := contract.LevelDB.PredictedFPR(n, 10, simdbloom.WithMaxBytes(most)), f.EstimatedFPR(); !(p > 0.9*e && p < 1.1*e) {
			t.Errorf("within %d bytes: predicted rate %v, estimated %v", most, p, e)
		}
	}
}

func TestLookupsInBytesAllocateNothing(t *testing.T) {
	data, key := build(t, 10, keys, keyhash.Hash{}), keys[0]
	b := levelblock.New(10, 11, keyhash.Hash{})
	b.Add(key)
	blockData := b.Finish()
	block := contract.Must(leveldb.OpenBlock(blockData, keyhash.Hash{}))
	if allocs := testing.AllocsPerRun(20, func() {
		leveldb.MayContain(data, key)
		leveldb.MayContain(nil, key)
		block.MayContain(0, key)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
