package simdbloom_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// adderFilters returns filters of every key hash, of one piece and of several.
func adderFilters[F any](open func(format simdbloom.Format, data []byte, hash keyhash.Hash) (F, error)) map[string]F {
	filters := make(map[string]F)
	for _, hash := range contract.FastLocal.KeyHashes {
		for size, n := range map[string]int{"": 12, ", pieces": 120_000} {
			b := contract.Must(bloom.NewBuilder(10, hash))
			b.AddKeys(vectors.Keys("le64", 0, n))
			filters[hash.Name()+size] = contract.Must(open(simdbloom.FastLocal, contract.Must(b.Finish()), hash))
		}
	}
	return filters
}

func TestStoredMutable(t *testing.T) {
	contract.TestStored(t, adderFilters(simdbloom.OpenMutable), func(like *simdbloom.Mutable) *simdbloom.Mutable {
		return contract.Must(bloom.NewMutable(0, 7, like.Hash()))
	})
}

func TestStoredConcurrent(t *testing.T) {
	contract.TestStored(t, adderFilters(simdbloom.OpenConcurrent), func(like *simdbloom.Concurrent) *simdbloom.Concurrent {
		return contract.Must(bloom.NewConcurrent(0, 7, like.Hash()))
	})
}

// TestAddersGoOn: filters that were read take keys, as those that OpenMutable returns.
func TestAddersGoOn(t *testing.T) {
	hashes := vectors.Hashes(5, 2000)
	eachKind(t, func(t *testing.T, k kind) {
		g := k.of(t, 2000, 10)
		g.AddHashes(hashes[:1000])
		read, opened := k.zero(), contract.Must(k.open(g.Bytes(), keyhash.XX64))
		if err := read.UnmarshalBinary(contract.Must(g.MarshalBinary())); err != nil {
			t.Fatal(err)
		}
		for _, f := range []adder{g, read, opened} {
			f.AddHashes(hashes[1000:1500])
			for _, hash := range hashes[1500:] {
				f.AddHash(hash)
			}
		}
		if !bytes.Equal(read.Bytes(), g.Bytes()) || read.Capacity() != g.Capacity() || read.EstimatedKeys() != g.EstimatedKeys() {
			t.Error("other bytes, or another capacity")
		}
		before := bytes.Clone(read.Bytes())
		for _, data := range [][]byte{nil, make([]byte, 6)} {
			err := read.UnmarshalBinary(contract.Must(contract.Must(bloom.Open(data, keyhash.XX64)).MarshalBinary()))
			if err == nil || errors.Is(err, simdbloom.ErrCorrupt) || errors.Is(err, simdbloom.ErrUnknown) || !bytes.Equal(read.Bytes(), before) {
				t.Errorf("%d bytes: %v", len(data), err)
			}
		}
	})
}

// TestStoredWhileKeysAreAdded: whatever is written is whole.
func TestStoredWhileKeysAreAdded(t *testing.T) {
	c := contract.Must(bloom.NewConcurrent(20_000, 10, keyhash.XX64))
	hashes := vectors.Hashes(6, 20_000)
	c.AddHashes(hashes[:1000])
	var adding sync.WaitGroup
	for i := range 4 {
		adding.Add(1)
		go func() {
			defer adding.Done()
			for _, hash := range hashes[1000+i*4000 : 5000+i*4000] {
				c.AddHash(hash)
			}
		}()
	}
	for range 20 {
		r, w := io.Pipe()
		go func() {
			_, err := c.WriteTo(w)
			w.CloseWithError(err)
		}()
		var f simdbloom.Filter
		if _, err := f.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		if hits := f.AppendHits(nil, hashes[:1000]); len(hits) != 1000 {
			t.Fatalf("%d keys of 1000", len(hits))
		}
	}
	adding.Wait()
}

// TestCapacityIsStored: a filter that accepts keys has the same capacity after a restart, and so has a folded one,
// whatever bits per key it was made with.
func TestCapacityIsStored(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		for _, bitsPerKey := range []float64{1, 7.9, 10, 12.345, 16, 100} {
			g := k.of(t, 100_000, bitsPerKey)
			for folded := range 3 {
				read := k.zero()
				if err := read.UnmarshalBinary(contract.Must(g.MarshalBinary())); err != nil {
					t.Fatal(err)
				}
				if off := read.Capacity() - g.Capacity(); off < 0 || off > folded {
					t.Errorf("%v bits/key, folded %d times: a capacity of %d, read again %d", bitsPerKey, folded, g.Capacity(), read.Capacity())
				}
				if m, ok := g.(*simdbloom.Mutable); !ok || m.Fold(1) != nil {
					break
				}
			}
		}
	})
}

// TestWhatIsStoredCanBeRead: bytes that Open takes for those of an unknown format are stored only if they can be read
// again. A broken Ribbon filter under FastLocal's name cannot.
func TestWhatIsStoredCanBeRead(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	refused := 0
	for range 20_000 {
		data := make([]byte, random.IntN(140))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		if n := len(data); n >= 5 { // the trailer of RocksDB's formats, or nearly
			copy(data[n-5:], []byte{[]byte{0xff, 0xfe, 0, 6}[random.IntN(4)], byte(random.IntN(2)), byte(random.IntN(32)), 0, 0})
		}
		for _, format := range []simdbloom.Format{simdbloom.FastLocal, simdbloom.Ribbon, simdbloom.Legacy, simdbloom.Linear, simdbloom.SplitBlock} {
			hash := keyhash.XXPH3
			if format == simdbloom.Legacy {
				hash = keyhash.RocksDB32
			}
			f, err := simdbloom.Open(format, data, hash)
			if err != nil {
				continue
			}
			stored, err := f.MarshalBinary()
			if err != nil {
				if refused++; !errors.Is(err, simdbloom.ErrCorrupt) {
					t.Fatalf("%v, %x: %v", format, data, err)
				}
				continue
			}
			if err := new(simdbloom.Filter).UnmarshalBinary(stored); err != nil {
				t.Fatalf("%v, %x: stored, and not read again: %v", format, data, err)
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
