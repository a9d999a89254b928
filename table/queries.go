package table

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Query is a lookup in a table's filter: a user key, or all keys that begin with some bytes.
type Query struct {
	Key    []byte // or its first bytes
	Prefix bool   // look up all keys that begin with Key
}

// Answer is a table's answer to a [Query].
type Answer struct {
	// MayContain is false only if the table does not contain the key, or a key that begins with
	// the prefix.
	MayContain bool

	// Prefix was looked up in place of a key, where the filter has no whole keys. It is nil
	// otherwise.
	Prefix []byte

	// Why is the reason why the filter cannot answer, or the condition of the answer "no". It is
	// empty if the filter's bits decide.
	Why string
}

// MayContain reports whether the table may contain a user key, by its filter. False means that it
// does not. It reads the filter, or the partition that the key would be in: see [Table.Answers],
// which also has the reason. If there is an error, it returns true.
//
// Filters have nothing of deletions of ranges (RocksDB's and Pebble's DeleteRange). If
// Properties.NumRangeDeletions is not 0, do not skip the table because of a "no": one of them may delete the key
// in older tables.
func (t *Table) MayContain(key []byte) (bool, error) { return t.answer(Query{Key: key}) }

// MayContainPrefix reports whether the table may contain a user key that begins with the prefix, by
// its filter. False means that it does not. It is true unless the filter has prefixes, by RocksDB's
// extractors fixed or capped, which are not longer than this one. It reads as much as MayContain. If
// there is an error, it returns true.
//
// It serves seeks forward and backward (SeekForPrev) alike, if the iterator is to end with the prefix: it looks
// into every partition that such keys may be in. Deletions of ranges are as in MayContain.
func (t *Table) MayContainPrefix(prefix []byte) (bool, error) {
	return t.answer(Query{Key: prefix, Prefix: true})
}

func (t *Table) answer(query Query) (bool, error) {
	answers, err := t.Answers([]Query{query})
	return err != nil || answers[0].MayContain, err
}

// MayContainKeys sets hits[i] to MayContain(keys[i]). It reads each filter once, for all keys that
// it may have, and looks them up in one call. If there is an error, it sets all of them to true. It
// panics if there are fewer hits than keys, before anything is read.
func (t *Table) MayContainKeys(keys [][]byte, hits []bool) error {
	if len(hits) < len(keys) {
		panic(fmt.Sprintf("simdbloom: len(hits) is %d, but there are %d keys", len(hits), len(keys)))
	}
	queries := make([]Query, len(keys))
	for i, key := range keys {
		queries[i].Key = key
	}
	answers, err := t.Answers(queries)
	for i := range keys {
		hits[i] = err != nil || answers[i].MayContain
	}
	return err
}

// Answers returns the answer to each query.
//
// It looks up what the database's own reader does: the key; where the filter has no whole keys
// (whole_key_filtering is false), the key's prefix; and for a prefix, what the filter has of all keys
// that begin with it, if that is the same for all. Otherwise the answer is "may contain". Give keys as
// the filter has them: Pebble's without their version, RocksDB's without a user-defined timestamp.
//
// Of a partitioned filter it reads only the partitions that the key may be in: one for a key, and
// seldom more than one for a prefix. Of layout block-based it reads the filter block and the table's index.
// If the order of the table's keys is unknown, it looks into all filters, until one may contain the key: see
// [WithOrder].
//
// It keeps nothing, and reads each filter at most once for all queries of a call. That costs a read
// from the file, the filter's checksum, and the lookups. Several goroutines may call it at once, if
// they may use the file at once.
//
// A filter or an index that this package cannot read, such as one of an unknown compression, may contain every key.
// Errors that are not from reading the file wrap [simdbloom.ErrCorrupt], or, for an order that
// the index contradicts, [ErrUnsupported].
func (t *Table) Answers(queries []Query) ([]Answer, error) {
	answers := make([]Answer, len(queries))
	open, why := t.opener()
	if open == nil {
		return allMay(answers, why), nil
	}
	entries := t.entries()
	waiting := make([]lookup, 0, len(queries))
	for i, query := range queries {
		if entry, ok := entries.of(query, &answers[i]); ok {
			waiting = append(waiting, lookup{query: query, entry: entry, answer: &answers[i]})
		}
	}
	if len(waiting) == 0 {
		return answers, nil
	}
	set, err := t.filterSet(open)
	if cannotRead(err) {
		return allMay(answers, err.Error()), nil
	} else if err != nil {
		return nil, err
	}
	whyAny := ""
	if !set.ordered() && set.len() > 1 {
		whyAny = t.whyAny()
	}
	if err := lookUp(set, waiting); cannotRead(err) {
		return allMay(answers, err.Error()), nil
	} else if err != nil {
		return nil, err
	}
	unless := entries.unless
	if set.foreign() {
		unless = "the filter may lack a store's keys: goleveldb's recovery writes such tables"
	}
	for i, query := range queries {
		a := &answers[i]
		switch {
		case a.Why != "":
		case a.MayContain:
			a.Why = whyAny
		case !query.Prefix:
			a.Why = unless
		}
		if n := t.Properties.NumRangeDeletions; n > 0 && !a.MayContain {
			a.Why = strings.TrimPrefix(fmt.Sprintf("%s; the table has %d deletions of ranges, which may delete it in older tables", a.Why, n), "; ")
		}
	}
	return answers, nil
}

// allMay sets all answers to "may contain", for a reason.
func allMay(answers []Answer, why string) []Answer {
	for i := range answers {
		answers[i] = Answer{MayContain: true, Why: why}
	}
	return answers
}

// lookup looks up a query in a range of filters, until it is found.
type lookup struct {
	query      Query
	entry      []byte
	first, end int
	answer     *Answer
}

// of returns the lookup for a query, or false, with the answer set, if there is nothing.
func (e *entries) of(query Query, answer *Answer) (entry []byte, ok bool) {
	var why string
	if query.Prefix {
		entry, why = e.ofPrefix(query.Key)
	} else {
		var isPrefix bool
		if entry, isPrefix, why = e.ofKey(query.Key); isPrefix {
			answer.Prefix = bytes.Clone(entry)
		}
	}
	if why != "" {
		*answer = Answer{MayContain: true, Why: why}
	}
	return entry, why == ""
}

// lookUp looks up in the filters of a set.
func lookUp(set filterSet, waiting []lookup) error {
	for i := range waiting {
		l := &waiting[i]
		if l.query.Prefix || l.answer.Prefix != nil {
			// RocksDB before 5.15 adds a prefix only to the first partition that has it.
			l.first, l.end = set.findPrefix(l.entry)
		} else {
			l.first, l.end = set.find(l.query.Key)
		}
		if l.first == l.end {
			l.answer.Why = set.whyNone()
		}
	}
	return lookUpInOrder(set, slices.DeleteFunc(waiting, func(l lookup) bool { return l.first == l.end }))
}

// lookUpInOrder reads each filter that any lookup needs, once.
func lookUpInOrder(set filterSet, waiting []lookup) error {
	slices.SortStableFunc(waiting, func(a, b lookup) int { return cmp.Compare(a.first, b.first) })
	var here []lookup // that are looked up in the next filter
	for next := 0; len(here)+len(waiting) > 0; next++ {
		if len(here) == 0 {
			next = waiting[0].first
		}
		for len(waiting) > 0 && waiting[0].first == next {
			here, waiting = append(here, waiting[0]), waiting[1:]
		}
		filter, err := set.open(next)
		if err != nil {
			return err
		}
		lookUpIn(filter, here)
		here = slices.DeleteFunc(here, func(l lookup) bool { return l.answer.MayContain || l.end == next+1 })
	}
	return nil
}

// lookUpIn answers for entries that the filter may have.
func lookUpIn(filter keyFilter, lookups []lookup) {
	entries, hits := make([][]byte, len(lookups)), make([]bool, len(lookups))
	for i, l := range lookups {
		entries[i] = l.entry
	}
	filter.containsKeys(entries, hits)
	why := whyAlways(filter)
	for i, hit := range hits {
		if hit {
			lookups[i].answer.MayContain, lookups[i].answer.Why = true, why
		}
	}
}
