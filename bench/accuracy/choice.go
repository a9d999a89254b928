package main

import (
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
)

// sameBytes returns the bits per key at which k's filters of n keys take the given number of
// bytes, rounded down to whole blocks or batches.
func (k *kind) sameBytes(n, bytes int) float64 {
	body := bytes / k.unitBytes * k.unitBytes
	return math.Floor(8000*float64(body)/float64(n)) / 1000
}

// choice compares the paired filters with FastLocal in the same memory: what
// Paired rounds up to is given to FastLocal, too.
type choice struct {
	axes
	pairs map[planned][2]*experiment // Paired and FastLocal
}

// mostBits is what a builder takes at most.
const mostBits = 100

func newChoice(s scope, p plan) *choice {
	c := &choice{axes: s.choice, pairs: make(map[planned][2]*experiment)}
	for _, k := range []*kind{paired32, paired128} {
		for _, n := range c.keys {
			for _, b := range c.values {
				bytes := k.bytes(n, b)
				same := fastLocal.sameBytes(n, bytes)
				if same > mostBits {
					continue
				}
				c.pairs[planned{k, n, b}] = [2]*experiment{
					p.measure(k, n, b, s.falsePositives/2, s.mostQueries/2),
					p.measure(fastLocal, n, same, s.falsePositives/2, s.mostQueries/2),
				}
			}
		}
	}
	return c
}

// bytes returns the size of a filter of n keys.
func (k *kind) bytes(n int, bitsPerKey float64) int {
	b, err := k.newBuilder(bitsPerKey)
	if err != nil {
		panic(err) // the settings are this program's own
	}
	for i := range n {
		b.AddHash(uint64(i))
	}
	return b.SizeBytes()
}

func (c *choice) write(w io.Writer) {
	fmt.Fprint(w, `How many times fewer false positives Paired has than FastLocal in the same memory: FastLocal gets all the bytes that
Paired was rounded up to. Below 1, FastLocal is better. In brackets the bits per key that both then take; FastLocal was
built with these, Paired with those above, which set its number of probes. The factors are known to about 2 %. "rare"
says that one of the two had too few false positives to compare, and an empty cell that it would take more than 100 bits
per key.

`)
	for _, k := range []*kind{paired32, paired128} {
		heading := []string{k.name + ", keys"}
		for _, b := range c.values {
			heading = append(heading, fmt.Sprintf("%v bits/key", b))
		}
		t := markdown.New(heading...)
		for _, n := range c.keys {
			row := []string{markdown.Thousands(n)}
			for _, b := range c.values {
				pair, ok := c.pairs[planned{k, n, b}]
				cell := ""
				if ok {
					cell = fmt.Sprintf("%s (%.1f)", ratio(pair[1], pair[0]), pair[0].storedBits())
				}
				row = append(row, cell)
			}
			t.Add(row...)
		}
		t.Write(w)
		fmt.Fprintln(w)
	}
}

// ratio is by what factor a's measured rate is above b's, if that was counted.
func ratio(a, b *experiment) string {
	if a.positives < 100 || b.positives < 100 {
		return "rare"
	}
	return fmt.Sprintf("%.2f", a.measured()/b.measured())
}

// batches compares Paired's two batch sizes in the same memory: what 128-block
// batches round up to is given to the filter in 32-block batches, too.
type batches struct{ rows []batchRow }

type batchRow struct {
	n                     int
	bitsPerKey            float64
	large, same, standing *experiment // 128 blocks; 32 with as much memory; 32 as set
}

func newBatches(s scope, p plan) *batches {
	b := new(batches)
	for _, bits := range s.batches.values {
		for _, n := range s.batches.keys {
			same := paired32.sameBytes(n, paired128.bytes(n, bits))
			if same > mostBits {
				continue
			}
			measure := func(k *kind, bits float64) *experiment {
				return p.measure(k, n, bits, s.falsePositives, s.mostQueries)
			}
			b.rows = append(b.rows, batchRow{n, bits, measure(paired128, bits), measure(paired32, same), measure(paired32, bits)})
		}
	}
	return b
}

func (b *batches) write(w io.Writer) {
	fmt.Fprint(w, `"over" is how much more memory a filter takes than its bits per key. The last column is the rate with 32-block
batches, given all of the 128-block filter's bytes, over that filter's.

`)
	t := markdown.New("bits/key", "keys", "32: bytes", "over", "measured", "128: bytes", "over", "measured", "32 over 128, same bytes")
	for _, r := range b.rows {
		over := func(e *experiment) string { return percent(e.storedBits()/r.bitsPerKey-1, "%.1f") }
		t.Add(fmt.Sprint(r.bitsPerKey), markdown.Thousands(r.n),
			markdown.Thousands(r.standing.bytes), over(r.standing), r.standing.rateCell(),
			markdown.Thousands(r.large.bytes), over(r.large), r.large.rateCell(), ratio(r.same, r.large))
	}
	t.Write(w)
	fmt.Fprintln(w)
}
