package bloom_test

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// storedFilters are filters of every kind and key hash.
func storedFilters(t *testing.T) map[string]*bloom.Filter {
	filters := map[string]*bloom.Filter{
		"empty":    open(t, nil, keyhash.XX64),
		"reserved": open(t, make([]byte, 6), keyhash.XX64),
		"Ribbon":   open(t, append(make([]byte, 32), 0xfe, 0, 2, 0, 0), keyhash.XXPH3),
	}
	for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, contract.OwnHash} {
		for size, n := range map[string]int{"": 12, ", pieces": 120_000} {
			b := builder(t, 10, hash)
			b.AddKeys(vectors.Keys("le64", 0, n))
			filters[hash.Name()+size] = open(t, must(b.Finish()), hash)
		}
	}
	return filters
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestStored(t *testing.T) {
	contract.TestStored(t, storedFilters(t), func(like *bloom.Filter) *bloom.Filter {
		return open(t, nil, like.Hash())
	})
}

func TestStoredMutable(t *testing.T) {
	filters := make(map[string]*bloom.Mutable)
	for name, f := range storedFilters(t) {
		if f.Kind() == bloom.FastLocal {
			filters[name] = must(bloom.OpenMutable(f.Bytes(), f.Hash()))
		}
	}
	contract.TestStored(t, filters, func(like *bloom.Mutable) *bloom.Mutable {
		return must(bloom.NewMutable(0, 7, like.Hash()))
	})
}

func TestStoredConcurrent(t *testing.T) {
	filters := make(map[string]*bloom.Concurrent)
	for name, f := range storedFilters(t) {
		if f.Kind() == bloom.FastLocal {
			filters[name] = must(bloom.OpenConcurrent(f.Bytes(), f.Hash()))
		}
	}
	contract.TestStored(t, filters, func(like *bloom.Concurrent) *bloom.Concurrent {
		return must(bloom.NewConcurrent(0, 7, like.Hash()))
	})
}

// TestGrowingGoOn: filters that were read take keys, as those that OpenMutable returns.
func TestGrowingGoOn(t *testing.T) {
	hashes := vectors.Hashes(5, 2000)
	eachKind(t, func(t *testing.T, k kind) {
		g := k.of(t, 2000, 10)
		g.AddHashes(hashes[:1000])
		data := must(g.(contract.Stored).MarshalBinary())
		var read growing = new(bloom.Mutable)
		if k.name == "Concurrent" {
			read = new(bloom.Concurrent)
		}
		if err := read.(contract.Stored).UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		opened := must(k.open(g.Bytes(), keyhash.XX64))
		for _, f := range []growing{g, read, opened} {
			f.AddHashes(hashes[1000:1500])
			for _, hash := range hashes[1500:] {
				f.AddHash(hash)
			}
		}
		if !bytes.Equal(read.Bytes(), g.Bytes()) || read.Capacity() != opened.Capacity() || read.EstimatedKeys() != g.EstimatedKeys() {
			t.Error("other bytes, or another capacity")
		}
		before := bytes.Clone(read.Bytes())
		for _, name := range []string{"empty", "reserved"} {
			file := must(storedFilters(t)[name].MarshalBinary())
			err := read.(contract.Stored).UnmarshalBinary(file)
			if err == nil || errors.Is(err, bloom.ErrCorrupt) || errors.Is(err, filterfile.ErrUnknown) || !bytes.Equal(read.Bytes(), before) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestStoredWhileKeysAreAdded: whatever is written is whole.
func TestStoredWhileKeysAreAdded(t *testing.T) {
	c := must(bloom.NewConcurrent(20_000, 10, keyhash.XX64))
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
		var f bloom.Filter
		if _, err := f.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		if hits := f.AppendHits(nil, hashes[:1000]); len(hits) != 1000 {
			t.Fatalf("%d keys of 1000", len(hits))
		}
	}
	adding.Wait()
}
