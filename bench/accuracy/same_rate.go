package main

import (
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
)

// sameRates compares the memory of filters that have FastLocal's rate, or a lower one.
type sameRates struct {
	keys int
	rows [][]*experiment // FastLocal first, and the others in their order
}

// sameRateOthers are the filters beside FastLocal. Paired is a kind of its own here: the page's
// summary counts the settings of the usual one.
var sameRateOthers = []*kind{pairedKind(128), linearKind, ribbonKind}

func newSameRates(s scope, p plan) *sameRates {
	r := &sameRates{keys: s.sameRateKeys}
	for _, b := range s.sameRate {
		row := []*experiment{p.measure(fastLocal, r.keys, b, s.falsePositives, s.mostQueries)}
		for _, k := range sameRateOthers {
			own := b
			if k != ribbonKind { // whose bits per key are FastLocal's
				own = k.promise(r.keys, fastLocal.predict(r.keys, b))
			}
			row = append(row, p.measure(k, r.keys, own, s.falsePositives, s.mostQueries))
		}
		r.rows = append(r.rows, row)
	}
	return r
}

func (r *sameRates) write(w io.Writer) {
	fmt.Fprintf(w, `Bits per key that filters of %s keys take for FastLocal's rate, and the measured rate in brackets. Paired and Linear have the
bits per key that their BitsPerKeyFor returns for FastLocal's PredictedFPR, Ribbon is built with FastLocal's own bits per key.
Linear's rates are powers of two, so it often has a lower one than FastLocal.

`, markdown.Thousands(r.keys))
	heading := []string{"FastLocal's bits/key", fastLocal.name}
	for _, k := range sameRateOthers {
		heading = append(heading, k.name)
	}
	t := markdown.New(append(heading, "Ribbon over FastLocal")...)
	for _, row := range r.rows {
		cells := []string{fmt.Sprint(row[0].bitsPerKey)}
		for _, e := range row {
			cells = append(cells, fmt.Sprintf("%.2f (%s)", e.storedBits(), e.oneInCell()))
		}
		share := row[len(row)-1].storedBits() / row[0].storedBits()
		t.Add(append(cells, percent(share, "%.0f"))...)
	}
	t.Write(w)
	fmt.Fprintln(w)
}

// oneInCell is the measured rate as one in some keys.
func (e *experiment) oneInCell() string {
	if e.positives == 0 {
		return "1 in more than " + oneIn(3/e.queries()) // with 95 % confidence
	}
	return "1 in " + oneIn(e.measured())
}

// check returns an error if a filter has a higher rate than FastLocal's, beyond what chance and
// the models' tolerance explain.
func (r *sameRates) check() error {
	for _, row := range r.rows {
		for _, e := range row[1:] {
			most := math.Max(e.predicted, row[0].predicted)
			if e.measured() > row[0].predicted && !e.explained(most, row[0].scatter, modelTolerance) {
				return fmt.Errorf("%s, measured %s: FastLocal's rate is %.4g", e, e.rateCell(), row[0].predicted)
			}
		}
	}
	return nil
}
