package filterblock

import "github.com/simdbloom/simdbloom"

// Target returns after how many entries a partition is to end.
func (w *Writer) Target() int { return w.target }

// BuildBy makes the writer use another builder.
func (w *Writer) BuildBy(b *simdbloom.Builder) { w.entries.builder = b }

// What a Reader counts.

func (c *Counters) CountLookup(may bool)           { c.countPrefix(may) }
func (c *Counters) CountSeek(may bool)             { c.countSeek(may) }
func (c *Counters) CountKeys(queries, may int)     { c.countKeys(queries, may) }
func (c *Counters) CountPrefixes(queries, may int) { c.countPrefixes(queries, may) }
func (c *Counters) CountSeeks(queries, may int)    { c.countSeeks(queries, may) }

// FoundPrefix is what EndLookup counts.
func (c *Counters) FoundPrefix() {
	if c != nil {
		c.stripes[hereStripe()].prefixes.found.Add(1)
	}
}
