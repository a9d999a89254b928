package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bench/internal/markdown"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// linearKind has rates that are powers of two. They are in a section of their own, and not in
// those about how good predictions are.
var linearKind = &kind{
	name:       "Linear",
	newBuilder: func(b float64) (*simdbloom.Builder, error) { return linear.NewBuilder(b, keyhash.XX64) },
	open:       func(data []byte) (filter, error) { return linear.Open(data, keyhash.XX64) },
	predict:    linear.PredictedFPR,
	promise:    linear.BitsPerKeyFor,
	unitBytes:  asm.BlockBytes,
}

// linears is linear filters with many queries each.
type linears struct {
	keys    int
	queries float64
	rows    []*linearRow
}

// linearRow is an experiment and what its filter is like.
type linearRow struct {
	*experiment
	filter      *simdbloom.Filter
	ofAbsent    reads
	ofPresent   reads
	layers      []int
	fingerprint int // bits
}

// reads are lines that some lookups read.
type reads struct{ lookups, lines int }

func newLinears(s scope, p plan) *linears {
	l := &linears{keys: s.largeKeys, queries: s.largeQueries}
	for _, b := range s.linear {
		row := &linearRow{experiment: p.measure(linearKind, l.keys, b, math.MaxInt32, l.queries)}
		row.filters, row.perFilter = 1, int(l.queries) // one is like another
		row.watch = row
		l.rows = append(l.rows, row)
	}
	return l
}

func (r *linearRow) opened(f filter) {
	r.filter = f.(*simdbloom.Filter)
	r.layers, r.fingerprint = linear.Layers(r.filter), linear.FingerprintBits(r.filter)
}

func (r *linearRow) present(hashes []uint64) { r.ofPresent.add(r, hashes) }

// absent counts lines for as many absent keys as there are present ones: that is enough to
// know their mean.
func (r *linearRow) absent(hashes []uint64) {
	if r.ofAbsent.lookups < r.n {
		r.ofAbsent.add(r, hashes)
	}
}

func (s *reads) add(r *linearRow, hashes []uint64) {
	for _, hash := range hashes {
		s.lines += r.linesOf(hash)
	}
	s.lookups += len(hashes)
}

func (s reads) mean() float64 { return float64(s.lines) / float64(s.lookups) }

// linesOf returns the number of lines that a lookup reads.
func (r *linearRow) linesOf(hash uint64) int {
	body := r.filter.Bytes()
	for i, lines := range r.layers {
		line, order := fallback.LinearPlace(hash, uint32(lines))
		if order >= fallback.LinearPlacesBelow(body[(int(line)+1)*asm.BlockBytes-1]) {
			return i + 1
		}
		body, hash = body[lines*asm.BlockBytes:], fallback.LinearNext(hash)
	}
	return len(r.layers) // it has fallen off the last layer
}

// exact is the rate of the filter's fingerprints.
func (r *linearRow) exact() float64 { return math.Ldexp(1, -r.fingerprint) }

// off is by how many standard deviations of the count the measured rate is off the exact one.
func (r *linearRow) off() float64 {
	expected := r.exact() * r.queries()
	return (float64(r.positives) - expected) / math.Sqrt(expected*(1-r.exact()))
}

func (l *linears) write(w io.Writer) {
	fmt.Fprintf(w, `%s

The false-positive rate is 2^-r, where fingerprints have r bits. "off" is by how many standard deviations of the count the
measured rate differs from that; more than four are an error. The "layers" are numbers of lines, of 64 bytes. The last two
columns are how many lines the lookup of a key reads on average, if the key is absent, and if it is present. Every key of
each filter was looked up, and found.

`, eachRow(l.keys, l.queries))
	t := markdown.New("bits/key", "stored", "r", "layers", "false positives", "measured", "that is 1 in", "2^-r", "off", "absent: lines", "present: lines")
	for _, r := range l.rows {
		t.Add(fmt.Sprint(r.bitsPerKey), fmt.Sprintf("%.2f", r.storedBits()), fmt.Sprint(r.fingerprint), linesText(r.layers),
			markdown.Thousands(r.positives), r.rateCell(), oneIn(r.measured()), fmt.Sprintf("%.3g", r.exact()), fmt.Sprintf("%+.1f", r.off()),
			fmt.Sprintf("%.3f", r.ofAbsent.mean()), fmt.Sprintf("%.3f", r.ofPresent.mean()))
	}
	t.Write(w)
	fmt.Fprintln(w)
}

func linesText(layers []int) string {
	texts := make([]string, len(layers))
	for i, lines := range layers {
		texts[i] = markdown.Thousands(lines)
	}
	return strings.Join(texts, " + ")
}

// check returns an error for every filter whose rate is not the one of its fingerprints, or
// whose fingerprints are not as long as predicted.
func (l *linears) check() error {
	const most = 4 // standard deviations
	var failures []error
	for _, r := range l.rows {
		if math.Abs(r.off()) > most {
			failures = append(failures, fmt.Errorf("%s, measured %s, off by %.1f standard deviations from %.4g", r, r.rateCell(), r.off(), r.exact()))
		}
		if r.predicted != r.exact() || r.estimated != r.exact() {
			failures = append(failures, fmt.Errorf("%s, fingerprints of %d bits: predicted %.4g, estimated %.4g", r, r.fingerprint, r.predicted, r.estimated))
		}
	}
	return errors.Join(failures...)
}
