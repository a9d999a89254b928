package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/store"
)

// lookup is a kind of lookups.
type lookup struct {
	name    string
	present bool
	keys    int // a call
	get     func(db *pebble.DB, keys [][]byte, each func(i int, value []byte) error) error
}

type getOne func(db *pebble.DB, key []byte) ([]byte, io.Closer, error)

// oneByOne makes Gets what GetMany is.
func oneByOne(get getOne) func(db *pebble.DB, keys [][]byte, each func(i int, value []byte) error) error {
	return func(db *pebble.DB, keys [][]byte, each func(i int, value []byte) error) error {
		for i, key := range keys {
			value, closer, err := get(db, key)
			if err == nil {
				err = errors.Join(each(i, value), closer.Close())
			}
			if err != nil && !errors.Is(err, pebble.ErrNotFound) {
				return err
			}
		}
		return nil
	}
}

func ownGet(db *pebble.DB, key []byte) ([]byte, io.Closer, error) { return db.Get(key) }

func getWithL6(db *pebble.DB, key []byte) ([]byte, io.Closer, error) { return simdbloom.Get(db, key) }

func getMany(db *pebble.DB, keys [][]byte, each func(i int, value []byte) error) error {
	return simdbloom.GetMany(db, keys, each)
}

var lookups = []lookup{
	{"absent, DB.Get", false, 1, oneByOne(ownGet)},
	{"absent, Get with L6's filters", false, 1, oneByOne(getWithL6)},
	{"absent, GetMany of 32 keys", false, 32, getMany},
	{"absent, GetMany of 1000 keys", false, 1000, getMany},
	{"present, DB.Get", true, 1, oneByOne(ownGet)},
	{"present, Get with L6's filters", true, 1, oneByOne(getWithL6)},
	{"present, GetMany of 32 keys", true, 32, getMany},
	{"present, GetMany of 1000 keys", true, 1000, getMany},
}

// getsReport is what the lookups of one kind took in a store, all rounds together.
type getsReport struct {
	Lookup string  `json:"lookup"`
	Gets   int     `json:"gets"`       // keys
	PerSec float64 `json:"per_second"` // the rounds' median

	P50   time.Duration `json:"p50_ns"`
	P99   time.Duration `json:"p99_ns"`
	P999  time.Duration `json:"p999_ns"`
	Worst time.Duration `json:"worst_ns"`

	store.Reads
	// Of absent keys.
	Queried        uint64  `json:"filters_asked,omitempty"`
	FalsePositives uint64  `json:"false_positives,omitempty"`
	FPR            float64 `json:"false_positive_rate,omitempty"`

	perSec []float64       // of each round
	times  []time.Duration // of every call, a key
}

// lookUp measures lookups of one kind.
func (st *filtered) lookUp(s *settings, l lookup, random *rand.Rand, report *getsReport, bar *progress.Bar) error {
	keys := make([][]byte, l.keys)
	counted, reads := st.counters.Read(), st.fs.Reads()
	var total time.Duration
	for n := 0; n < s.gets; n += l.keys {
		for k := range keys {
			i := random.IntN(s.keys)
			if !l.present {
				i += s.keys
			}
			keys[k] = appendKey(keys[k][:0], i)
		}
		found := 0
		begun := time.Now()
		err := l.get(st.DB, keys, func(i int, value []byte) error {
			found++
			if len(value) != s.valueBytes {
				return fmt.Errorf("key %x: %d bytes", keys[i], len(value))
			}
			return nil
		})
		took := time.Since(begun)
		if err != nil || l.present && found != l.keys || !l.present && found > 0 {
			return fmt.Errorf("%s: found %d of %d keys, %w", l.name, found, l.keys, err)
		}
		total += took
		report.times = append(report.times, took/time.Duration(l.keys))
		if (n+l.keys)/1000 > n/1000 {
			bar.Add(1)
		}
	}
	report.Gets += s.gets
	report.perSec = append(report.perSec, float64(s.gets)/total.Seconds())
	report.Reads = report.Reads.Add(st.fs.Reads().Sub(reads))
	if !l.present {
		counts := st.counters.Read().Sub(counted)
		report.Queried += counts.Queries()
		report.FalsePositives += counts.FalsePositives()
	}
	return nil
}

// finish makes the report of what was gathered.
func (r *getsReport) finish() {
	slices.Sort(r.perSec)
	r.PerSec = r.perSec[len(r.perSec)/2]
	slices.Sort(r.times)
	at := func(share float64) time.Duration { return r.times[int(share*float64(len(r.times)-1))] }
	r.P50, r.P99, r.P999, r.Worst = at(0.5), at(0.99), at(0.999), at(1)
	if r.Queried > 0 {
		r.FPR = float64(r.FalsePositives) / float64(r.Queried)
	}
}
