package pebble

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// GetMany looks up keys, and calls each for every key that r has, with its index in keys and its value. For absent keys
// each is not called. It is for keys of which many may be absent: those it looks up through one iterator, which uses
// the filters of all levels, while r.Get uses none of L6 and opens the tables anew for each key. Present keys it looks
// up by r.Get, if that is faster. So it takes a quarter of r.Get's time for absent keys, and at most about 1.08 of it
// for any, which pays for the order of calls and for one state of the store: docs/pebble.md has times.
//
// Keys may be in any order, and occur more than once. The calls are in ascending order of the
// keys' bytes, in which it also reads the tables. A value is valid during its call, and must not be
// changed.
//
// GetMany ends with the first error of each, or of Pebble, and returns it. Keys that r
// does not have are no error. r is a DB, a Snapshot, or an indexed Batch, of which several keys are always looked up
// through an iterator. All keys are seen as they were at one time, as a Snapshot shows them. Concurrent calls are
// allowed where r.Get allows them.
//
// A key is found only by the bytes that it was written with, even if others are equal for the store's Comparer. A
// Comparer without an ImmediateSuccessor is an error once Pebble needs it, for a table with a range deletion. An
// EventuallyFileOnlySnapshot is an error: an iterator of one finds keys of deleted ranges.
func GetMany(r pebble.Reader, keys [][]byte, each func(i int, value []byte) error) (err error) {
	if len(keys) == 0 {
		return nil
	}
	if _, is := r.(*pebble.EventuallyFileOnlySnapshot); is {
		return errFileOnly
	}
	if db, is := r.(*pebble.DB); is && len(keys) > 1 {
		snapshot := db.NewSnapshot()
		defer closeAfter(snapshot, &err)
		r = snapshot
	}
	_, isSnapshot := r.(*pebble.Snapshot)
	l := lookups{Reader: r, keys: keys, each: each, gets: isSnapshot || len(keys) == 1, byGet: math.MaxInt64, byIterator: math.MaxInt64}
	var room [16]place
	err = l.all(ascending(room[:0], keys))
	if l.iter != nil {
		closeAfter(l.iter, &err)
	}
	return err
}

// closeAfter closes something, whose error becomes *err unless there is one.
func closeAfter(c io.Closer, err *error) {
	if closing := c.Close(); *err == nil {
		*err = closing
	}
}

// place is where a key is, and eight of its bytes.
type place struct {
	i    int
	head uint64
}

// ascending appends the keys' places in the order of the keys. Most are told apart by their heads, which are behind
// what all keys begin with.
func ascending(dst []place, keys [][]byte) []place {
	same := len(keys[0])
	for _, key := range keys[1:] {
		same = min(same, len(key))
		for !bytes.Equal(key[:same], keys[0][:same]) {
			same--
		}
	}
	for i, key := range keys {
		var head [8]byte
		copy(head[:], key[same:])
		dst = append(dst, place{i, binary.BigEndian.Uint64(head[:])})
	}
	slices.SortFunc(dst, func(a, b place) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return cmp.Or(bytes.Compare(keys[a.i], keys[b.i]), a.i-b.i)
	})
	return dst
}

// lookups are those of one call of GetMany.
type lookups struct {
	pebble.Reader
	keys [][]byte
	each func(i int, value []byte) error
	gets bool // Reader.Get is allowed
	iter *pebble.Iterator

	looked, absent    int
	byGet, byIterator time.Duration // the shortest times of a stretch
}

// An iterator visits all tables that may have a key, Get ends at the first that has it. An iterator's time for present
// keys, as multiples of Get's, without the time to open its tables (FastLocal, all in the cache, Emerald Rapids):
//
//	tables         all in L6   64 in L0   64 in L0, L6   8 in L0, L6   2 in L0, L6
//	iterator             .75        .55            .62      1 to 1.1           1.3
//
// Keys of a memtable can cost even more. For absent keys it takes .25 to .4. So it is faster if a quarter of the keys
// is absent. If fewer are, and the keys are many, both ways are tried.
const (
	stretch     = 8   // keys that are timed together
	trials      = 2   // stretches by the iterator, each between two by Get: the first one opens tables
	fewestTried = 256 // keys for which that is worthwhile
	leastRest   = 3   // keys for which opening an iterator is worthwhile
)

// all looks up keys in turn.
func (l *lookups) all(order []place) error {
	tries := l.gets && len(order) >= fewestTried
	for n := 0; len(order) > 0; n++ {
		some, iterates, begun := order, !l.gets || l.manyAbsent(), time.Time{}
		timed := tries && !iterates && len(order) >= stretch
		if timed {
			some, begun = order[:stretch], time.Now()
			iterates = n < 2*trials && n%2 == 1 || n > 2*trials && l.byIterator < l.byGet
		}
		done, err := l.some(some, iterates)
		if err != nil {
			return err
		}
		order = order[done:]
		shortest := &l.byGet
		if iterates {
			shortest = &l.byIterator
		}
		if timed && done == stretch {
			*shortest = min(*shortest, time.Since(begun))
		}
	}
	return nil
}

// manyAbsent reports whether an iterator is faster for the rest, by the share of keys that were absent.
func (l *lookups) manyAbsent() bool {
	return 4*l.absent >= max(l.looked, 1) && (l.iter != nil || len(l.keys)-l.looked >= leastRest)
}

// some looks up keys until manyAbsent changes, and returns how many.
func (l *lookups) some(order []place, iterates bool) (done int, err error) {
	look := l.get
	if iterates {
		look = l.iterate
		if l.iter == nil {
			if l.iter, err = l.NewIter(&pebble.IterOptions{UseL6Filters: true}); err == nil {
				err = l.iter.Error() // as Pebble v1 has it of a batch without an index
			}
			if err != nil {
				return 0, err
			}
		}
	}
	for many := l.manyAbsent(); done < len(order); {
		found, err := look(order[done].i)
		if err != nil {
			return 0, err
		}
		if l.looked++; !found {
			l.absent++
		}
		if done++; l.gets && l.manyAbsent() != many {
			break
		}
	}
	return done, nil
}

// get looks up a key by Get.
func (l *lookups) get(i int) (found bool, err error) {
	value, closer, err := l.Get(l.keys[i])
	if err == pebble.ErrNotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if iter, is := closer.(*pebble.Iterator); is { // if a block of values cannot be read, Get's value is empty
		value, err = iter.ValueAndErr()
	}
	if err == nil {
		err = l.each(i, value)
	}
	closeAfter(closer, &err)
	return true, err
}

// iterate looks up a key by the iterator.
func (l *lookups) iterate(i int) (found bool, err error) {
	l.iter.SetBounds(l.keys[i], nil)
	value, err := find(l.Reader, l.iter, l.keys[i])
	if err == pebble.ErrNotFound {
		return false, nil
	}
	if err == nil {
		err = l.each(i, value)
	}
	return true, err
}
