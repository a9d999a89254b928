package main

import (
	"io"
	"runtime"
	"strconv"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

// countFalsePositives looks the same absent keys up in every row, with all CPUs, and
// the added ones.
func (t *table) countFalsePositives(terminal io.Writer) {
	bar := progress.Start(terminal, "Counting false positives", t.queried)
	defer bar.Done()
	const chunk = 16 << 10
	counters := make([]*counter, runtime.GOMAXPROCS(0))
	for i := range counters {
		counters[i] = newCounter(t)
	}
	parallel.Each(len(counters), (t.queried+chunk-1)/chunk, func(goroutine, i int) {
		from, to := i*chunk, min((i+1)*chunk, t.queried)
		counters[goroutine].takeAbsent(from, to)
		counters[goroutine].count()
		bar.Add(to - from)
	})
	for _, w := range counters {
		for i, r := range t.rows {
			r.falsePositives += w.found[i]
		}
	}

	w := newCounter(t)
	for from := 0; from < len(t.added); from += chunk {
		w.keys = t.added[from:min(from+chunk, len(t.added))]
		w.count()
	}
	for i, r := range t.rows {
		r.falseNegatives = len(t.added) - w.found[i]
		if r.policy != nil {
			r.predicted = r.policy.PredictedFPR(len(t.added))
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
	return &counter{table: t, keyHashes: make([][]uint64, len(t.hashes)), found: make([]int, len(t.rows))}
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
	for i, r := range c.rows {
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

// appendVariant appends a key that is not a line: it has a line feed inside.
func appendVariant(dst, line []byte, number int) []byte {
	dst = append(dst, line...)
	dst = append(dst, '\n')
	return strconv.AppendInt(dst, int64(number), 10)
}
