package main

import (
	"io"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/falsepos"
	"github.com/simdbloom/simdbloom/bench/internal/parallel"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

// countFalsePositives looks the same absent keys up in every row, with all CPUs, and
// the added ones.
func (t *table) countFalsePositives(terminal io.Writer) {
	bar := progress.Start(terminal, "Counting false positives", t.Queried)
	defer bar.Done()
	const chunk = 16 << 10
	var counters []*counter
	chunks := (t.Queried + chunk - 1) / chunk
	_ = parallel.Each(chunks, func() func(int) error {
		w := newCounter(t)
		counters = append(counters, w)
		return func(i int) error {
			from, to := i*chunk, min((i+1)*chunk, t.Queried)
			w.takeAbsent(from, to)
			w.count()
			bar.Add(to - from)
			return nil // counting does not fail
		}
	})
	for _, w := range counters {
		for i, r := range t.Rows {
			r.FalsePositives += w.found[i]
		}
	}

	w := newCounter(t)
	for from := 0; from < len(t.added); from += chunk {
		w.keys = t.added[from:min(from+chunk, len(t.added))]
		w.count()
	}
	for i, r := range t.Rows {
		r.FalseNegatives = len(t.added) - w.found[i]
		r.Bytes = r.filter.SizeBytes()
		r.BitsPerKey = 8 * float64(r.Bytes) / float64(len(t.added))
		r.Rate = float64(r.FalsePositives) / float64(t.Queried)
		r.Low, r.High = falsepos.Interval(r.FalsePositives, t.Queried)
		if r.policy != nil {
			r.Predicted = r.policy.PredictedFPR(len(t.added))
		}
	}
}

// counter counts, for one goroutine, how many keys each row finds.
type counter struct {
	*table
	text      []byte // of the keys
	ends      []int  // in text
	keys      [][]byte
	keyHashes [][]uint64 // of keys, by the table's hashes
	hits      []bool
	found     []int // by the table's rows
}

func newCounter(t *table) *counter {
	return &counter{table: t, keyHashes: make([][]uint64, len(t.hashes)), found: make([]int, len(t.Rows))}
}

// takeAbsent makes the absent keys of some numbers the counter's keys: first
// come the lines that were not added, then variants of all lines.
func (c *counter) takeAbsent(from, to int) {
	c.text, c.ends, c.keys = c.text[:0], c.ends[:0], c.keys[:0]
	for number := from; number < to; number++ {
		if number < len(c.absent) {
			c.text = append(c.text, c.absent[number]...)
		} else {
			variant := number - len(c.absent)
			c.text = appendVariant(c.text, c.lines[variant%len(c.lines)], variant/len(c.lines))
		}
		c.ends = append(c.ends, len(c.text))
	}
	start := 0
	for _, end := range c.ends { // text has stopped moving
		c.keys = append(c.keys, c.text[start:end])
		start = end
	}
}

// count looks the counter's keys up in every row.
func (c *counter) count() {
	c.hits = append(c.hits[:0], make([]bool, len(c.keys))...)
	for i, hash := range c.hashes {
		c.keyHashes[i] = hash.AppendHashes(c.keyHashes[i][:0], c.keys)
	}
	for i, r := range c.Rows {
		if f, ok := r.filter.(*simdbloom.Filter); ok { // keys are hashed once for all of these
			f.ContainsHashes(c.keyHashes[r.hash], c.hits)
		} else {
			r.filter.ContainsKeys(c.keys, c.hits)
		}
		for _, hit := range c.hits {
			if hit {
				c.found[i]++
			}
		}
	}
}
