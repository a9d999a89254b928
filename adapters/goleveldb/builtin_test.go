package goleveldb_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
)

// TestBuiltInIsGoleveldbsOwn compares what both filters write, and what both read in it.
func TestBuiltInIsGoleveldbsOwn(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	key := func() []byte {
		key := make([]byte, random.IntN(20))
		for i := range key {
			key[i] = byte(random.Uint32())
		}
		return key
	}
	for bitsPerKey := 1; bitsPerKey <= 120; bitsPerKey++ {
		own, ours := filter.NewBloomFilter(bitsPerKey), goleveldb.BuiltIn(bitsPerKey)
		if ours.Name() != own.Name() {
			t.Fatalf("named %q", ours.Name())
		}
		for _, n := range []int{1, 2, 7, 36, 164, 3000} {
			var present [][]byte
			for range n {
				present = append(present, key())
			}
			var want, got util.Buffer
			generate(own.NewGenerator(), &want, present)
			generate(ours.NewGenerator(), &got, present)
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Fatalf("%d bits/key, %d keys: other bytes than goleveldb's", bitsPerKey, n)
			}
			for i := range 3 * n {
				k := key()
				if i < n {
					k = present[i]
				}
				if a, b := ours.Contains(got.Bytes(), k), own.Contains(got.Bytes(), k); a != b || i < n && !a {
					t.Fatalf("%d bits/key, %d keys, key %x: %v, goleveldb says %v", bitsPerKey, n, k, a, b)
				}
			}
		}
	}
}

// TestBuiltInOfAnySize has one generator for small filters and large ones, in turn.
func TestBuiltInOfAnySize(t *testing.T) {
	own, ours := filter.NewBloomFilter(10).NewGenerator(), goleveldb.BuiltIn(10).NewGenerator()
	var want, got util.Buffer
	for _, n := range []int{10, 0, 4095, 4096, 4097, 1, 8193, 300_000, 34} {
		present := presentKeys(digests, n)
		generate(own, &want, present)
		generate(ours, &got, present)
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%d keys: other bytes than goleveldb's", n)
		}
	}
}

func TestBuiltInTakesAnyBytes(t *testing.T) {
	f := goleveldb.BuiltIn(10)
	for _, data := range [][]byte{nil, {}, {6}, {0, 0}, {0, 0, 31}, {0, 255}} {
		if !f.Contains(data, []byte("key")) {
			t.Errorf("%x does not contain a key", data)
		}
	}
	for _, bitsPerKey := range []int{0, -1, 121} {
		mustPanic(t, "goleveldb: BuiltIn's bits per key must be from 1 to 120", func() { goleveldb.BuiltIn(bitsPerKey) })
	}
}
