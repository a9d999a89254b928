package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// leastAdded is the number of keys that are added in a pass at least, in the number of filters
// that this takes. Tests lower it.
var leastAdded uint64 = 256 << 10

// timeBuilding times every row in every round. All rows of a round are given the
// same hashes, and all filters of it others.
func (f *field) timeBuilding(s *settings, terminal io.Writer) (*buildTable, error) {
	t := &buildTable{Add: s.add, Memory: s.memory, Rounds: s.rounds, Rows: f.builtRows()}
	t.Builds = int((leastAdded + f.keys - 1) / f.keys)
	site := newSite(s, f.filling)
	title := fmt.Sprintf("Timing, %s at %v bits/key", sizeText(f.bytes), f.bitsPerKey)
	bar := progress.Start(terminal, title, s.rounds*len(t.Rows)*t.Builds)
	defer bar.Done()
	for round := range s.rounds {
		digests := make(map[digested]uint64)
		for i := range t.Rows {
			r := t.Rows[(i+round)%len(t.Rows)]
			var watch timing.Stopwatch
			for n := range t.Builds {
				is, err := site.build(r.row, hashOf(s.seed, uint64(round*t.Builds+n)), &watch)
				if err == nil {
					err = r.check(is, f.keys, n, digests)
				}
				if err != nil {
					return nil, fmt.Errorf("row %q: %w", r.Name, err)
				}
				bar.Add(1)
			}
			r.NS = append(r.NS, watch.PerKey(f.keys*uint64(t.Builds)))
		}
	}
	t.summarize()
	return t, nil
}

// digested is one filter of a round.
type digested struct {
	entrant *entrant
	n       int
}

// check compares a filter with what the entrant's other rows have built of the same
// hashes.
func (r *builtRow) check(is *built, keys uint64, n int, digests map[digested]uint64) error {
	which := digested{r.entrant, n}
	if digest, seen := digests[which]; seen && digest != is.digest {
		return errors.New("the filter has other bytes than that of another row")
	}
	digests[which] = is.digest
	r.Bytes, r.chosen = is.bytes, is.chosen
	r.BitsPerKey = 8 * float64(is.bytes) / float64(keys)
	r.hugeShare, r.PeakBytes = min(r.hugeShare, is.hugeShare), max(r.PeakBytes, is.peak)
	return nil
}
