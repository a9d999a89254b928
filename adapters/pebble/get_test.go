package pebble_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// many is what GetMany finds: values by their keys' indexes.
func many(r pebble.Reader, keys [][]byte) (map[int]string, error) {
	values := make(map[int]string)
	var last []byte
	err := simdbloom.GetMany(r, keys, func(i int, value []byte) error {
		if _, twice := values[i]; twice || bytes.Compare(keys[i], last) < 0 {
			return fmt.Errorf("%q (%d) comes after %q", keys[i], i, last)
		}
		last, values[i] = keys[i], string(value)
		return nil
	})
	return values, err
}

// checkGets compares GetMany with Pebble's Get, and, of a DB, with all keys looked up through an iterator.
func checkGets(t *testing.T, r pebble.Reader, keys [][]byte) {
	t.Helper()
	if db, is := r.(store); is {
		r = db.DB
		batch := db.NewIndexedBatch()
		checkGets(t, batch, keys)
		db.must(batch.Close())
	}
	values, err := many(r, keys)
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		want, closer, err := r.Get(key)
		found := err == nil
		if !found && err != pebble.ErrNotFound {
			t.Fatal(err)
		}
		if value, has := values[i]; has != found || value != string(want) {
			t.Fatalf("%q: GetMany finds %q, %v; Pebble's Get %q, %v", key, value, has, want, found)
		}
		if found {
			if err := closer.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestGetMany(t *testing.T) {
	for _, p := range []pebble.FilterPolicy{nil, simdbloom.FastLocal(10), simdbloom.Linear(16)} {
		s := open(t, vfs.NewMem(), onAllLevels(p))
		s.flush(numbered(0, 2000))
		s.compact()
		s.flush(numbered(1000, 2000)) // twice, and in L0
		s.must(s.Set([]byte("in the memtable"), nil, nil))
		keys := append(numbered(0, 3000), absentAmong(1000)...)
		keys = append(keys, nil, []byte{}, []byte{0}, []byte("in the memtable"))
		keys = append(keys, keys[:100]...)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		checkGets(t, s, keys)
		snapshot, batch := s.NewSnapshot(), s.NewIndexedBatch()
		s.must(s.DeleteRange([]byte("key 10"), []byte("key 12"), nil))
		s.must(batch.Set([]byte("key 11"), []byte("again"), nil))
		s.must(batch.Delete([]byte("key 3"), nil))
		for _, r := range []pebble.Reader{s, snapshot, batch} {
			checkGets(t, r, keys)
			checkGets(t, r, numbered(500, 2000)) // all present: both ways are tried
			for n := range 20 {                  // few are looked up by Pebble's Get
				checkGets(t, r, keys[30*n:31*n])
			}
		}
		s.must(errors.Join(batch.Close(), snapshot.Close(), s.Close()))
	}
}

// TestGetManyHandsOver: fewer than a quarter of absent keys are looked up by Pebble's Get, which uses no filter of L6.
func TestGetManyHandsOver(t *testing.T) {
	var counters simdbloom.Counters
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.Counted(simdbloom.Paired(23.4), &counters)))
	keys := numbered(0, 2000)
	s.flush(keys)
	s.compact()
	for _, c := range []struct{ n, absent, least, most int }{
		{1, 0, 0, 0},
		{100, 0, 0, 0},
		{100, 5, 0, 0},
		{1, 1, 0, 0},
		{2, 2, 0, 0},
		{4, 4, 3, 3},
		{100, 50, 80, 99},
		{100, 100, 99, 99},
		{1000, 0, 16, 984},
		{1000, 900, 990, 999},
	} {
		var some [][]byte
		for i := range c.n { // absent keys are spread, and come behind present ones: "key 12" and "key 12-"
			if i*c.absent/c.n == (i+1)*c.absent/c.n {
				some = append(some, keys[i])
			} else {
				some = append(some, append(bytes.Clone(keys[i]), '-'))
			}
		}
		before := counters.Read()
		if found, err := many(s.DB, some); err != nil || len(found) != c.n-c.absent {
			t.Fatalf("%d keys, %d absent: %d are found, %v", c.n, c.absent, len(found), err)
		}
		if got := counters.Read().Sub(before); int(got.Queries()) < c.least || int(got.Queries()) > c.most {
			t.Errorf("%d keys, %d absent: %d queries of filters, want %d to %d", c.n, c.absent, got.Queries(), c.least, c.most)
		}
	}
	s.must(s.Close())
}

func TestGetManyEndsWithAnError(t *testing.T) {
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.FastLocal(10)))
	s.flush(numbered(0, 100))
	for _, keys := range [][][]byte{numbered(0, 100), numbered(0, 1), numbered(0, 2), append(absentAmong(1), numbered(0, 9)...)} {
		failed, calls := errors.New("failed"), 0
		err := simdbloom.GetMany(s.DB, keys, func(int, []byte) error {
			calls++
			return failed
		})
		if err != failed || calls != 1 {
			t.Errorf("%d keys: %v after %d calls", len(keys), err, calls)
		}
	}
	s.must(s.Close()) // no snapshot or iterator is open
}

// TestGetManySeesOneState changes all keys between lookups.
func TestGetManySeesOneState(t *testing.T) {
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.FastLocal(10)))
	for _, n := range []int{1, 2, 3, 5, 10, 20, 100, 300, 1000} {
		keys, found := numbered(0, n), 0
		s.flush(keys)
		s.must(s.Delete(keys[n/2], nil))
		s.must(simdbloom.GetMany(s.DB, keys, func(i int, value []byte) error {
			if i == n/2 || !bytes.Equal(value, valueOf(keys[i])) {
				t.Errorf("%d keys: %q has the value %q", n, keys[i], value)
			}
			if found++; found > 20 && found%50 > 0 { // each range that is deleted makes writing slower
				return nil
			}
			batch := s.NewBatch()
			err := batch.DeleteRange([]byte("key"), []byte("kez"), nil)
			for j := range keys {
				if (i+j)%3 == 0 {
					err = errors.Join(err, batch.Set(keys[j], []byte("of another state"), nil))
				}
			}
			return errors.Join(err, batch.Commit(nil))
		}))
		if found != n-1 {
			t.Errorf("%d keys: %d are found, and not one less", n, found)
		}
	}
	s.must(s.Close())
}

// Where the Comparer has a Split and the default ImmediateSuccessor, Pebble's iterations over a prefix
// find deleted keys: of these stores' keys a few dozen.
func TestDeletedRangesWithTheDefaultSuccessor(t *testing.T) {
	first, end := uint64(0), uint64(400)
	if testing.Short() {
		first, end = 330, 352 // of these find keys: two without bounds, three unless keys that end in byte 0 are looked up again
	}
	var keys [][]byte // of up to five bytes 0 and 1
	for i := 2; i < 64; i++ {
		var key []byte
		for bits := i; bits > 1; bits /= 2 {
			key = append(key, byte(bits&1))
		}
		keys = append(keys, key)
	}
	for seed := first; seed < end; seed++ {
		r := rand.New(rand.NewPCG(seed, 0))
		c, size := *comparer, 1+r.IntN(3)
		c.Name = "prefixes of a size"
		c.Split = func(key []byte) int { return min(size, len(key)) }
		s := open(t, vfs.NewMem(), func(o *pebble.Options) {
			o.Comparer = &c
			setPolicies(o, simdbloom.FastLocal(10), nil)
		})
		for range 60 {
			key, end := keys[r.IntN(len(keys))], keys[r.IntN(len(keys))]
			switch op := r.IntN(12); {
			case op < 6:
				s.must(s.Set(key, []byte{byte(op)}, nil))
			case op < 9:
				if len(key) >= size && r.IntN(2) == 0 {
					key = append(key[:size:size], 0) // where the default successor cuts ranges off
				}
				if bytes.Compare(key, end) < 0 {
					s.must(s.DeleteRange(key, end, nil))
				}
			case op < 11:
				s.must(s.Flush())
			default:
				s.must(compact(t, s.DB, nil, []byte{2}))
			}
		}
		checkGets(t, s, keys)
		s.must(s.Close())
	}
}

func TestWithoutAnImmediateSuccessor(t *testing.T) {
	c := *comparer
	c.Name, c.ImmediateSuccessor = "without a successor", nil
	s := open(t, vfs.NewMem(), func(o *pebble.Options) {
		onAllLevels(simdbloom.FastLocal(10))(o)
		o.Comparer = &c
	})
	keys := numbered(0, 100)
	s.flush(keys)
	s.compact()
	checkGets(t, s, keys)
	s.must(s.DeleteRange(keys[30], keys[50], nil))
	s.must(s.Flush())
	if !needsSuccessor {
		checkGets(t, s, keys)
		s.must(s.Close())
		return
	}
	if _, err := many(s, keys[35:55]); err == nil || !strings.Contains(err.Error(), "no ImmediateSuccessor") {
		t.Errorf("the error is %v", err)
	}
	s.must(s.Close()) // no iterator is open
}

// TestFileOnlySnapshots: an iterator of one finds keys of deleted ranges, so GetMany refuses it.
func TestFileOnlySnapshots(t *testing.T) {
	s := open(t, vfs.NewMem(), onAllLevels(simdbloom.FastLocal(10)))
	s.flush(numbered(0, 10))
	snapshot := s.NewEventuallyFileOnlySnapshot([]pebble.KeyRange{{Start: []byte("a"), End: []byte("z")}})
	for _, n := range []int{1, 10} {
		if _, err := many(snapshot, numbered(0, n)); err == nil || !strings.Contains(err.Error(), "EventuallyFileOnlySnapshot") {
			t.Errorf("the error is %v", err)
		}
	}
	s.must(errors.Join(snapshot.Close(), s.Close()))
}
