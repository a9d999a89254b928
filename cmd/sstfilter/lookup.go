package main

import (
	"maps"
	"slices"

	"github.com/simdbloom/simdbloom/table"
)

// answer is what a table's filter says about a key.
type answer struct {
	may bool   // contain it
	why string // if that does not follow from the filter's bits, or from those of another entry
}

// lookUp answers for keys, by the table's filters. Each filter is read once, for all keys that it
// may have.
func lookUp(t *table.Table, keys [][]byte) ([]answer, error) {
	answers := make([]answer, len(keys))
	set, why, err := filterSetOf(t)
	if err != nil {
		return nil, err
	}
	if set == nil {
		for i := range answers {
			answers[i] = answer{true, why}
		}
		return answers, nil
	}
	// Lookups by the first filter of the range that each is in. The range depends on nothing
	// else.
	groups := make(map[int]*group)
	entries := entriesOf(t)
	for i, key := range keys {
		entry, ok := entries.entry(key)
		if !ok {
			answers[i] = answer{true, entries.why}
			continue
		}
		first, end := set.find(key)
		if first == end {
			answers[i].why = set.whyNone()
			continue
		}
		if groups[first] == nil {
			groups[first] = &group{end: end}
		}
		groups[first].add(i, entry)
		if entries.ofPrefix {
			answers[i].why = "by its prefix " + printable(string(entry))
		}
	}
	for _, first := range slices.Sorted(maps.Keys(groups)) {
		g := groups[first]
		for i := first; i < g.end && len(g.entries) > 0; i++ {
			filter, err := set.open(i)
			if err != nil {
				return nil, err
			}
			g.lookUp(filter, answers)
		}
	}
	for i := range answers {
		if a := &answers[i]; !a.may && a.why == "" {
			a.why = entries.unless
		}
	}
	return answers, nil
}

// group has the entries that are looked up in the same filters.
type group struct {
	end     int // of the range of filters
	indexes []int
	entries [][]byte
}

func (g *group) add(index int, entry []byte) {
	g.indexes, g.entries = append(g.indexes, index), append(g.entries, entry)
}

// lookUp looks up all entries in the next filter, and keeps those that are not in it.
func (g *group) lookUp(filter keyFilter, answers []answer) {
	hits := make([]bool, len(g.entries))
	filter.ContainsKeys(g.entries, hits)
	why := whyAlways(filter)
	left := group{end: g.end}
	for i, hit := range hits {
		if !hit {
			left.add(g.indexes[i], g.entries[i])
			continue
		}
		a := &answers[g.indexes[i]]
		a.may = true
		if why != "" {
			a.why = why
		}
	}
	*g = left
}
