package table

import (
	"bytes"
	"context"
	"fmt"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/paired"
)

// filterCheck looks up keys of data blocks in the filters that the database would look them up in.
type filterCheck struct {
	verifier  *verifier
	opener    opener
	wholeKeys bool
	prefixes  *filterblock.Extractor // nil if there are none
	timestamp int                    // bytes behind each key that the filter does not have
	split     func(key []byte) int   // nil if the filter has keys as they are

	blockBased *leveldb.Block // nil for other layouts
	opened     []*keyFilter   // nil until it is needed
	last       int            // where something was found

	place               Block      // of data
	lastKey, lastPrefix []byte     // of the block
	pending             []expected // to look up
	texts               []byte     // theirs
	hits                []bool
	keys                [][]byte
	anyKey, anyPrefix   bool
}

// expected is a key or a prefix that one of the filters must have, first up to but not including end.
type expected struct {
	from, to   int // in texts
	isPrefix   bool
	first, end int
}

// mostPending limits the memory of keys that are looked up at once: keys can share long prefixes.
const mostPending, mostPendingBytes = 1 << 12, 1 << 16

// newFilterCheck returns nil if keys cannot be looked up. NotVerified has the reason.
func newFilterCheck(v *verifier, split func(key []byte) int) *filterCheck {
	t := v.table
	open, why := t.opener()
	if open == nil {
		v.found.NotVerified = why
		return nil
	}
	entries := t.entries()
	c := &filterCheck{verifier: v, opener: open, wholeKeys: entries.wholeKeys, prefixes: entries.prefixes}
	c.timestamp = t.timestampBytes()
	switch {
	case t.lacksTimestampLength():
		v.found.NotVerified = t.whyNoTimestampLength()
		return nil
	case t.Format.columnarData(): // which has keys without their versions
	case (entries.splits || t.maySplit()) && split != nil:
		c.split = split
	case entries.splits && t.Properties.Comparator != bytewise && t.Properties.Comparator != "":
		v.found.NotVerified = fmt.Sprintf("the filter has what Split of the comparer %q returns, which is unknown", t.Properties.Comparator)
		return nil
	case entries.prefixes == nil && !entries.splits && t.Properties.Prefixes:
		v.found.NotVerified = entries.whyNoPrefix
	case !entries.wholeKeys && entries.prefixes == nil:
		v.found.NotVerified = entries.whyNoPrefix
	}
	if !c.wholeKeys && c.prefixes == nil {
		return nil
	}
	if err := c.openBlock(); err != nil {
		v.notRead(blockName{kind: kindFilterBlock}.at(t.filter), err)
		v.found.NotVerified = "the filters could not be read"
		return nil
	}
	return c
}

// openBlock reads the filter block of layout BlockBased.
func (c *filterCheck) openBlock() error {
	t := c.verifier.table
	if t.Layout != layoutBlockBased {
		c.opened = make([]*keyFilter, t.NumFilters())
		return nil
	}
	data, err := t.ReadFilterBlock()
	if err != nil {
		return err
	}
	if c.blockBased, err = leveldb.OpenBlock(data, keyhash.LevelDB32); err != nil { // for where filters are
		return fmt.Errorf("the %s: %w", kindFilterBlock, err)
	}
	c.opened = make([]*keyFilter, c.blockBased.Filters()+1)
	c.opened[c.blockBased.Filters()] = &noFilter
	return nil
}

// begin begins a data block.
func (c *filterCheck) begin(place Block) {
	c.place, c.anyKey, c.anyPrefix = place, false, false
}

// add looks up a key, now or at the next flush.
func (c *filterCheck) add(ctx context.Context, key []byte) error {
	if len(key) < c.timestamp {
		return corrupt("a key of %d bytes, too short for its timestamp", len(key))
	}
	key = key[:len(key)-c.timestamp]
	if c.split != nil {
		n := c.split(key)
		if n < 0 || n > len(key) {
			return corrupt("a key of %d bytes, whose version is said to begin at %d", len(key), n)
		}
		key = key[:n]
	}
	if c.anyKey && bytes.Equal(key, c.lastKey) {
		return nil
	}
	c.anyKey, c.lastKey = true, append(c.lastKey[:0], key...)
	if c.wholeKeys {
		c.expect(key, false)
		c.verifier.found.Keys++
	}
	if c.prefixes != nil {
		prefix, ok := c.prefixes.Prefix(key)
		if ok && !(c.anyPrefix && bytes.Equal(prefix, c.lastPrefix)) {
			c.anyPrefix, c.lastPrefix = true, append(c.lastPrefix[:0], prefix...)
			c.expect(prefix, true)
			c.verifier.found.Prefixes++
		}
	}
	if len(c.pending) >= mostPending || len(c.texts) >= mostPendingBytes {
		c.flush()
		return ctx.Err()
	}
	return nil
}

// expect remembers a key or prefix to look up, and the filters that may have it.
func (c *filterCheck) expect(text []byte, isPrefix bool) {
	e := expected{from: len(c.texts), isPrefix: isPrefix}
	c.texts = append(c.texts, text...)
	e.to = len(c.texts)
	set := partitions{c.verifier.table, c.opener}
	switch {
	case c.blockBased != nil: // the database looks into that of the data block
		e.first = filterAt(c.blockBased, c.place.Offset)
		e.end = e.first + 1
	case isPrefix:
		e.first, e.end = set.findPrefix(text)
	default:
		e.first, e.end = set.find(text)
	}
	c.pending = append(c.pending, e)
}

// flush looks up the pending keys, as many as possible in one call.
func (c *filterCheck) flush() {
	for rest := c.pending; len(rest) > 0; {
		n, in := 1, c.likely(rest[0])
		for n < len(rest) && c.likely(rest[n]) == in {
			n++
		}
		c.lookUp(in, rest[:n])
		rest = rest[n:]
	}
	c.pending, c.texts = c.pending[:0], c.texts[:0]
}

// likely returns one of the filters that may have it, the last one where something was found if possible, or -1.
func (c *filterCheck) likely(e expected) int {
	switch {
	case e.first == e.end:
		return -1
	case e.first <= c.last && c.last < e.end:
		return c.last
	}
	return e.first
}

// lookUp looks up in a filter, and in the others if it answers "no".
func (c *filterCheck) lookUp(in int, all []expected) {
	c.keys, c.hits = c.keys[:0], append(c.hits[:0], make([]bool, len(all))...)
	for _, e := range all {
		c.keys = append(c.keys, c.texts[e.from:e.to])
	}
	if in >= 0 {
		c.last = in
		c.open(in).containsKeys(c.keys, c.hits)
	}
	for i, hit := range c.hits {
		if !hit && !c.isInAnother(all[i], c.keys[i], in) {
			c.missing(c.keys[i], all[i].isPrefix)
		}
	}
}

// isInAnother reports whether a filter may contain the text, apart from the given one.
func (c *filterCheck) isInAnother(e expected, text []byte, in int) bool {
	for i := e.first; i < e.end; i++ {
		if i != in && c.open(i).contains(text) {
			c.last = i
			return true
		}
	}
	return false
}

func (c *filterCheck) missing(text []byte, isPrefix bool) {
	found := c.verifier.found
	if found.Missing++; found.Missing == 1 {
		found.Problems = append(found.Problems, Problem{c.place, errMissing, &Query{bytes.Clone(text), isPrefix}})
	}
}

// open returns a filter, which may contain every key if it is damaged.
func (c *filterCheck) open(i int) *keyFilter {
	if c.opened[i] == nil {
		filter, block, err := c.read(i)
		if err != nil {
			c.verifier.notRead(block, err)
			filter = noFilter
		} else if filter.filter != nil && filter.filter.Format() == simdbloom.Reserved {
			if err := paired.Verify(filter.filter); err != nil { // no lookup tells
				c.verifier.damaged(block, err)
			}
		}
		c.opened[i] = &filter
	}
	return c.opened[i]
}

// read reads a filter, and returns the block that it is in.
func (c *filterCheck) read(i int) (keyFilter, Block, error) {
	t := c.verifier.table
	if c.blockBased != nil {
		filter, err := c.opener(c.blockBased.Filter(i))
		return filter, blockName{kind: kindFilterBlock}.at(t.filter), err
	}
	what := t.filterName(i)
	filter, err := partitions{t, c.opener}.open(i)
	return filter, what.at(t.filters.rows[i].handle), err
}
