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
	get     func(db *pebble.DB, key []byte) ([]byte, io.Closer, error)
}

func ownGet(db *pebble.DB, key []byte) ([]byte, io.Closer, error) { return db.Get(key) }

func getWithL6(db *pebble.DB, key []byte) ([]byte, io.Closer, error) { return simdbloom.Get(db, key) }

var lookups = []lookup{
	{"absent, DB.Get", false, ownGet},
	{"absent, Get with L6's filters", false, getWithL6},
	{"present, DB.Get", true, ownGet},
	{"present, Get with L6's filters", true, getWithL6},
}

// getsReport is what the lookups of one kind took in a store, all rounds together.
type getsReport struct {
	Lookup string  `json:"lookup"`
	Gets   int     `json:"gets"`
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
	times  []time.Duration // of every lookup
}

// lookUp measures lookups of one kind.
func (st *filtered) lookUp(s *settings, l lookup, random *rand.Rand, report *getsReport, bar *progress.Bar) error {
	var key []byte
	counted, reads := st.counters.Read(), st.fs.Reads()
	var total time.Duration
	for n := range s.gets {
		i := random.IntN(s.keys)
		if !l.present {
			i += s.keys
		}
		key = appendKey(key[:0], i)
		begun := time.Now()
		value, closer, err := l.get(st.DB, key)
		if err == nil {
			err = closer.Close()
		}
		took := time.Since(begun)
		switch {
		case err == nil && l.present && len(value) == s.valueBytes:
		case errors.Is(err, pebble.ErrNotFound) && !l.present:
		default:
			return fmt.Errorf("%s, key %d: %d bytes, %v", l.name, i, len(value), err)
		}
		total += took
		report.times = append(report.times, took)
		if n%1000 == 999 {
			bar.Add(1)
		}
	}
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
	r.Gets = len(r.times)
	slices.Sort(r.perSec)
	r.PerSec = r.perSec[len(r.perSec)/2]
	slices.Sort(r.times)
	at := func(share float64) time.Duration { return r.times[int(share*float64(len(r.times)-1))] }
	r.P50, r.P99, r.P999, r.Worst = at(0.5), at(0.99), at(0.999), at(1)
	if r.Queried > 0 {
		r.FPR = float64(r.FalsePositives) / float64(r.Queried)
	}
}
