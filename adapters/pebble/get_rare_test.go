package pebble_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// TestEmptyKeysOfIterators: the key of no bytes is found, also by an iterator, and absent ones beside it are not. A key
// that is given several times is found in this order each time.
func TestEmptyKeysOfIterators(t *testing.T) {
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.FastLocal(10)))
	for _, present := range []bool{false, true, true} { // last in a table: Pebble cannot write one of this key alone
		if present {
			s.must(s.Set(nil, []byte("value"), nil))
		}
		batch := s.NewIndexedBatch()
		for _, r := range []pebble.Reader{s.DB, batch} {
			found, err := many(r, [][]byte{{0}, nil, []byte("a"), {}, {0, 0}, []byte("b")})
			if want := map[int]string{1: "value", 3: "value"}; err != nil || present && fmt.Sprint(found) != fmt.Sprint(want) || !present && len(found) > 0 {
				t.Errorf("present %v: %v, %v", present, found, err)
			}
		}
		s.must(batch.Close())
		if present {
			s.must(errors.Join(s.Set([]byte("other"), []byte("other"), nil), s.Flush()))
		}
	}
	var keys [][]byte
	var order, want []int
	for i := range 100 {
		keys, want = append(keys, fmt.Appendf(nil, "%d", i*i%11)), append(want, i)
		s.must(s.Set(keys[i], nil, nil))
	}
	slices.SortStableFunc(want, func(i, j int) int { return bytes.Compare(keys[i], keys[j]) })
	s.must(simdbloom.GetMany(s.DB, keys, func(i int, _ []byte) error { order = append(order, i); return nil }))
	if !slices.Equal(order, want) {
		t.Errorf("%d, want %d", order, want)
	}
	s.must(s.Close())
}

// TestReadersWithoutIterators: an error of Pebble's is returned, and does not make keys absent.
func TestReadersWithoutIterators(t *testing.T) {
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.FastLocal(10)))
	batch := s.NewBatch()
	for n := range 5 {
		if found, err := many(batch, numbered(0, n+1)); !errors.Is(err, pebble.ErrNotIndexed) || len(found) > 0 {
			t.Errorf("%d keys: %v, %v", n+1, found, err)
		}
	}
	s.must(errors.Join(batch.Close(), s.Close()))
}

// TestPanicsOfComparers: what a Comparer panics with is not taken for Pebble's want of an ImmediateSuccessor.
func TestPanicsOfComparers(t *testing.T) {
	var nilKeys []int
	for says, fails := range map[string]func() int{
		"the test's own": func() int { panic("the test's own") }, "index out of range": func() int { return nilKeys[3] },
	} {
		var failing atomic.Bool
		c := *comparer
		c.Name = "one that panics"
		c.Split = func(key []byte) int {
			if bytes.HasPrefix(key, []byte("key 7")) && failing.CompareAndSwap(true, false) {
				return fails()
			}
			return len(key)
		}
		s := open(t, vfs.NewMem(), func(o *pebble.Options) {
			onAllLevels(simdbloom.FastLocal(10))(o)
			o.Comparer = &c
		})
		s.flush(numbered(0, 10))
		batch := s.NewIndexedBatch()
		failing.Store(true)
		mustPanic(t, says, func() {
			if _, err := many(batch, numbered(0, 10)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestKeysByLevelFails: properties that cannot be read are an error.
func TestKeysByLevelFails(t *testing.T) {
	disk := vfs.NewMem()
	s := open(t, disk, onAllLevels(simdbloom.FastLocal(10)))
	s.flush(numbered(0, 100))
	s.must(s.Close())
	fs := &failing{FS: disk}
	s = open(t, fs, func(o *pebble.Options) {
		onAllLevels(simdbloom.FastLocal(10))(o)
		o.Logger = silent{}
	})
	fs.before.Store(1)
	if keys, err := simdbloom.KeysByLevel(s.DB); !errors.Is(err, errRead) {
		t.Errorf("%v, %v", keys, err)
	}
	if keys, err := simdbloom.KeysByLevel(s.DB); err != nil || keys[0] != 100 {
		t.Errorf("%v, %v", keys, err)
	}
	s.must(s.Close())
}
