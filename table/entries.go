package table

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/filterblock"
)

// entries describes which entries a key has in a table's filter, as RocksDB's options whole_key_filtering and
// prefix_extractor, which the table records, made it of.
type entries struct {
	wholeKeys bool
	splits    bool   // Pebble's keys are, or may be, without their versions
	unless    string // when "no" would be a wrong answer for a key

	prefixes    *filterblock.Extractor // nil if the filter has none, or unknown ones
	ownPrefixes bool                   // by a function of the caller's
	whyNoPrefix string                 // why it is nil
}

func (t *Table) entries() entries {
	p := &t.Properties
	// Pebble has a comparer's Split in place of extractors. v1 records it as one. RocksDB's first
	// versions record neither name.
	splits := t.Format.Database == databasePebble || p.Prefixes && p.PrefixExtractor != "" && p.PrefixExtractor == p.Comparator ||
		t.maySplit() && knownOrder(p.Comparator).compare == nil
	e := entries{wholeKeys: p.WholeKeys || !p.wholeKeysRecorded && !p.Prefixes || splits, splits: splits}
	if e.wholeKeys {
		e.unless = t.unlessWhole(splits)
	}
	switch {
	case splits:
		e.whyNoPrefix = "the filter has keys without their version, and no other prefixes"
	case !p.Prefixes && e.wholeKeys:
		e.whyNoPrefix = "the filter has whole keys only"
	case !p.Prefixes:
		e.whyNoPrefix = "the filter was made of neither keys nor prefixes"
	default:
		e.prefixes, e.ownPrefixes = t.prefixExtractor()
		e.whyNoPrefix = fmt.Sprintf("the filter has prefixes by %q, which is unknown", p.PrefixExtractor)
		if p.PrefixExtractor == "" {
			e.whyNoPrefix = "the filter has prefixes by an extractor that the table does not name"
		}
	}
	return e
}

// prefixExtractor returns the extractor of the filter's prefixes: RocksDB's that the table names, or else the one
// that was given, if it is not for tables of another name. It returns nil if there is neither.
func (t *Table) prefixExtractor() (e *filterblock.Extractor, own bool) {
	recorded := t.Properties.PrefixExtractor
	if e, _ := filterblock.ParseExtractor(recorded); e != nil || t.extractor == nil {
		return e, false
	}
	_, err := filterblock.ParseExtractor(t.extractor.Name())
	if own = err != nil; own && recorded != "" && recorded != t.extractor.Name() {
		return nil, false
	}
	return t.extractor, own
}

// maySplit reports whether the table may be one of Pebble v2 in the formats of LevelDB and RocksDB, which do not record
// that the comparer has versions. RocksDB records whether the filter has whole keys, but in its first versions.
func (t *Table) maySplit() bool {
	p := &t.Properties
	return t.Format.Database == databaseRocksDB && p.Comparator != "" && !p.wholeKeysRecorded
}

// unlessWhole gives the reason why a key would not be found as it is. The filters of stores with versions of
// keys have only the rest of a key.
func (t *Table) unlessWhole(splits bool) string {
	comparator := t.Properties.Comparator
	switch {
	case strings.HasSuffix(comparator, timestamped), t.timestampBytes() > 0, t.lacksTimestampLength():
		return "give the key without its timestamp"
	case knownOrder(comparator).compare != nil || comparator == "":
	case splits:
		return fmt.Sprintf("give the key without its version, if the comparer %q has versions", comparator)
	case t.mayHaveTimestamps() && t.given != nil && t.given.ofBytes: // which are those of a part of the key only
		return fmt.Sprintf("give the length of timestamps, if the comparator %q has some", comparator)
	}
	return ""
}

// ofKey returns the lookup for a key, or the reason why there is none.
func (e *entries) ofKey(key []byte) (entry []byte, isPrefix bool, whyNot string) {
	switch {
	case e.wholeKeys:
		return key, false, ""
	case e.prefixes == nil:
		return nil, false, e.whyNoPrefix
	}
	if prefix, ok := e.prefixes.Prefix(key); ok {
		return prefix, true, ""
	}
	return nil, false, fmt.Sprintf("the filter has prefixes only, by %s, and this key has none", e.prefixes.Name())
}

// ofPrefix returns the lookup for all keys that begin with the given bytes, or why there is
// nothing: they must have the same prefix.
func (e *entries) ofPrefix(begin []byte) (entry []byte, whyNot string) {
	switch {
	case e.prefixes == nil:
		return nil, e.whyNoPrefix
	case e.ownPrefixes: // only its function knows which prefixes longer keys have
		return nil, fmt.Sprintf("the filter has prefixes by %q, which may be others for some keys that begin so", e.prefixes.Name())
	}
	entry, ok := e.prefixes.Prefix(begin)
	// RocksDB's extractors take a number of first bytes, so one byte more tells (SliceTransform's
	// SameResultWhenAppended).
	longer, _ := e.prefixes.Prefix(append(bytes.Clone(begin), 0))
	if !ok || !bytes.Equal(entry, longer) {
		return nil, fmt.Sprintf("the filter has longer prefixes, by %s", e.prefixes.Name())
	}
	return entry, ""
}
