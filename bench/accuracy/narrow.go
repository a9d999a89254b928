package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bench/internal/markdown"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/policy"
)

// The filters with hashes of 32 bits, which are the low half of this program's. They are in
// sections of their own: their rates depend on the number of keys in ways of their own.
var (
	legacyKind = narrowKind("Legacy", "rocksdb.internal.LegacyBloomFilter", asm.BlockBytes,
		func(n int, b float64) float64 { return legacy.PredictedFPR(n, b) })
	levelDBKind = narrowKind("LevelDB", "leveldb.BuiltinBloomFilter2", 1,
		func(n int, b float64) float64 { return leveldb.PredictedFPR(n, b) })
)

func narrowKind(name, policyName string, unitBytes int, predict func(n int, bitsPerKey float64) float64) *kind {
	parsed := func(bitsPerKey float64) (policy.Policy, error) {
		return policy.Parse(fmt.Sprint(policyName, ":", bitsPerKey))
	}
	return &kind{
		name: name,
		newBuilder: func(b float64) (policy.Builder, error) {
			p, err := parsed(b)
			if err != nil {
				return nil, err
			}
			return p.NewBuilder(), nil
		},
		open: func(data []byte) (filter, error) {
			p, err := parsed(10) // bits per key, which no reader needs
			if err != nil {
				return nil, err
			}
			return p.Open(data)
		},
		predict:   predict,
		unitBytes: unitBytes,
	}
}

// narrows is one of these filters at numbers of keys where its rate is usual, and where it is not.
type narrows struct {
	remark string
	lines  bool // whether the filter has lines
	rows   []*experiment

	// The most that the functions may be off, beyond what chance explains.
	ofPredicted, ofEstimated float64
}

// narrowSetting is a setting of such a filter.
type narrowSetting struct {
	keys       int
	bitsPerKey float64
}

func newLegacies(s scope, p plan) *narrows {
	return newNarrows(s, p, legacyKind, s.legacy, &narrows{ofPredicted: 0.02, ofEstimated: 0.02, lines: true, remark: `
RocksDB's full filter before format_version 5, and Pebble's. One hash of 32 bits chooses a key's line, and the bits in it: the
hashes of a line, whose number is the hash modulo the number of lines, have similar bits if that is near a power of two. At 10
bits/key 65,535 lines are the worst up to there.
`})
}

func newLevelDBs(s scope, p plan) *narrows {
	return newNarrows(s, p, levelDBKind, s.levelDB, &narrows{ofPredicted: tolerance, ofEstimated: 0.1, remark: `
LevelDB's filter, and goleveldb's. A key's probes are its hash of 32 bits plus multiples of one number, modulo the number of bits.
The rate is higher where that is a multiple of 3 and 5 (3,000 keys at 10 bits/key, but not 3,001), and in large filters where
the third probes of all keys share some bits (100,003 keys). It is highest where both come together (300,000).
`})
}

// newNarrows plans the settings, with fewer filters than others have where keys are few:
// estimating a legacy filter's rate takes as long as some million lookups.
func newNarrows(s scope, p plan, k *kind, settings []narrowSetting, section *narrows) *narrows {
	for _, setting := range settings {
		e := p.measure(k, setting.keys, setting.bitsPerKey, 5*s.falsePositives, s.mostQueries)
		if most := s.mostNarrow; e.filters > most {
			e.filters, e.perFilter = most, int(e.queries())/most
		}
		section.rows = append(section.rows, e)
	}
	return section
}

func (l *narrows) write(w io.Writer) {
	fmt.Fprintf(w, `%s
PredictedFPR is within %s and three standard deviations of the measured rate, and EstimatedFPR within %s and those.

`, l.remark[1:], percent(l.ofPredicted, "%.0f"), percent(l.ofEstimated, "%.0f"))
	headings := []string{"bits/key", "keys"}
	if l.lines {
		headings = append(headings, "lines")
	}
	t := markdown.New(append(headings, countedHeadings...)...)
	for _, e := range l.rows {
		cells := []string{fmt.Sprint(e.bitsPerKey), markdown.Thousands(e.n)}
		if l.lines {
			cells = append(cells, markdown.Thousands(e.bytes/e.unitBytes))
		}
		t.Add(append(cells, e.countedCells()...)...)
	}
	t.Write(w)
	fmt.Fprintln(w)
}

// check returns an error for every rate that is off.
func (l *narrows) check() error {
	var failures []error
	for _, e := range l.rows {
		failures = append(failures, e.checkRates(l.ofPredicted, l.ofEstimated))
	}
	return errors.Join(failures...)
}
