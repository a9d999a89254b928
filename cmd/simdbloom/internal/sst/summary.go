package sst

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/table"
)

// summary has the properties of a table's filters: its only one, or its partitions.
type summary struct {
	kinds      []string // different ones
	formats    []string // likewise
	from       []string // the estimates
	bytes      uint64
	largest    uint64 // bytes of a filter
	blocks     uint64
	blockBytes int
	probes     span
	prints     span // bits of fingerprints
	longer     span // 64ths of the keys
	layers     span
	unsound    error // of the first filter that is

	// Rates by bytes, and bytes of the filters that have a rate.
	weightedRates, weight float64

	legacyLines uint64 // of the largest legacy filter
}

// summarize reads all filters, one at a time.
func summarize(t *table.Table) (*summary, error) {
	sum := new(summary)
	for stored, err := range t.Filters() {
		if err != nil {
			return nil, err
		}
		f, err := factsIn(t, stored.Data, t.NumFilters())
		if err != nil {
			return nil, err
		}
		sum.add(f, len(stored.Data))
	}
	return sum, nil
}

func (s *summary) add(f facts, size int) {
	s.kinds, s.from = withOne(s.kinds, f.kind), withOne(s.from, f.from)
	s.formats = withOne(s.formats, cmp.Or(f.format, f.kind))
	s.bytes += uint64(size)
	s.largest = max(s.largest, uint64(size))
	s.blocks += uint64(f.blocks)
	s.blockBytes = max(s.blockBytes, f.blockBytes)
	s.probes.add(f.probes)
	s.prints.add(f.fingerprint)
	s.longer.add(f.longer)
	s.layers.add(f.layers)
	if s.unsound == nil {
		s.unsound = f.unsound
	}
	if f.rated {
		weight := float64(max(size, 1))
		s.weight += weight
		s.weightedRates += weight * f.rate
	}
	s.legacyLines = max(s.legacyLines, f.legacyLines)
}

// withOne returns the list with the text in it once.
func withOne(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

func (s *summary) rate() (rate float64, ok bool) {
	return s.weightedRates / s.weight, s.weight > 0
}

// note describes the effect of double hashing on legacy filters of the given number of keys and
// bits per key, or nothing if that is little. It is a problem from 1.5 times the rate on.
func (s *summary) note(keys, filters int, bitsPerKey float64) (note string, isProblem bool) {
	if s.legacyLines == 0 || keys == 0 {
		return "", false
	}
	rate, _ := s.rate()
	times := rate / bloom.PredictedFPR(max(keys/filters, 1), bitsPerKey)
	if !(times >= 1.1) {
		return "", false
	}
	digits := 1
	if times > 10 {
		digits = 0
	}
	note = "double hashing makes it " + strconv.FormatFloat(times, 'f', digits, 64) + " times worse than FastLocal with the same bits per key"
	if nearPowerOfTwo(s.legacyLines) {
		note += fmt.Sprintf(": %d lines are near a power of two", s.legacyLines)
	}
	return note, times >= 1.5
}

// nearPowerOfTwo reports whether there are many lines, and their number is within 1 % of a
// power of two.
func nearPowerOfTwo(lines uint64) bool {
	power := math.Exp2(math.Round(math.Log2(float64(lines))))
	return lines >= 1<<10 && math.Abs(float64(lines)-power) <= power/100
}
