package main

import (
	"strconv"
	"strings"

	"github.com/simdbloom/simdbloom/table"
)

// entries says what a table's filter has of a key.
type entries struct {
	// entry returns what to look up: the key or its prefix. It returns false if the filter
	// knows nothing about the key.
	entry func(key []byte) ([]byte, bool)

	// ofPrefix says that it is a prefix.
	ofPrefix bool

	// why says why the filter knows nothing about a key.
	why string

	// unless says when "no" would be a wrong answer.
	unless string
}

// entriesOf returns what RocksDB's options whole_key_filtering and prefix_extractor, which the
// table records, made the filter of.
func entriesOf(t *table.Table) entries {
	p := &t.Properties
	if p.WholeKeys || !p.WholeKeysRecorded && !p.Prefixes {
		return wholeKeys(t)
	}
	if p.Prefixes && p.PrefixExtractor == p.Comparator { // Pebble v1, which has no extractors
		return wholeKeys(t)
	}
	if !p.Prefixes {
		return entries{entry: none, why: "the filter was made of neither keys nor prefixes"}
	}
	prefix, ok := prefixOf(p.PrefixExtractor)
	if !ok {
		return entries{entry: none, why: "the filter has prefixes only, by " + printable(p.PrefixExtractor) + ", which is unknown"}
	}
	return entries{
		entry: prefix, ofPrefix: true,
		why: "the filter has prefixes only, by " + printable(p.PrefixExtractor) + ", and this key has none",
	}
}

func none([]byte) ([]byte, bool) { return nil, false }

func whole(key []byte) ([]byte, bool) { return key, true }

// wholeKeys are entries of keys as they are given. The filters of stores with versions of keys
// have only the rest of a key.
func wholeKeys(t *table.Table) entries {
	e := entries{entry: whole}
	comparator := t.Properties.Comparator
	switch {
	case strings.HasSuffix(comparator, ".u64ts"):
		e.unless = "give the key without its timestamp"
	case comparator == "leveldb.BytewiseComparator" || comparator == "rocksdb.ReverseBytewiseComparator" || comparator == "":
	case t.Format.Database == table.Pebble || t.Properties.Prefixes && t.Properties.PrefixExtractor == comparator:
		e.unless = "give the key without its version, if the comparer " + printable(comparator) + " has versions"
	}
	return e
}

// prefixOf returns a prefix extractor of RocksDB (util/slice.cc) by its name.
func prefixOf(extractor string) (prefix func(key []byte) ([]byte, bool), ok bool) {
	if extractor == "rocksdb.Noop" {
		return whole, true
	}
	for _, known := range []struct {
		name   string
		capped bool
	}{
		{"rocksdb.FixedPrefix.", false},
		{"fixed:", false},
		{"rocksdb.CappedPrefix.", true},
		{"capped:", true},
	} {
		length, ok := strings.CutPrefix(extractor, known.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(length, 10, 31)
		if err != nil {
			return nil, false
		}
		return func(key []byte) ([]byte, bool) {
			if len(key) < int(n) {
				return key, known.capped
			}
			return key[:n], true
		}, true
	}
	return nil, false
}
