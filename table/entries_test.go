package table

import (
	"strings"
	"testing"
)

func prefixes(extractor string) Properties {
	return Properties{wholeKeysRecorded: true, Prefixes: true, PrefixExtractor: extractor, Comparator: bytewise}
}

func keysAndPrefixes(extractor string) Properties {
	p := prefixes(extractor)
	p.WholeKeys = true
	return p
}

// TestEntries: what is looked up for a key, and for all keys that begin with it.
func TestEntries(t *testing.T) {
	const none = "(nothing)"
	for what, c := range map[string]struct {
		properties   Properties
		key          string
		entry, why   string
		prefix, why2 string
	}{
		"LevelDB":        {Properties{}, "abcdef", "abcdef", "", none, "whole keys only"},
		"whole":          {Properties{WholeKeys: true, wholeKeysRecorded: true}, "abcdef", "abcdef", "", none, "whole keys only"},
		"both":           {keysAndPrefixes("rocksdb.FixedPrefix.3"), "abcdef", "abcdef", "", "abc", ""},
		"both, short":    {keysAndPrefixes("rocksdb.FixedPrefix.3"), "ab", "ab", "", none, "longer prefixes, by rocksdb.FixedPrefix.3"},
		"both, another":  {keysAndPrefixes("somebody's"), "abcdef", "abcdef", "", none, `prefixes by "somebody's", which is unknown`},
		"fixed":          {prefixes("rocksdb.FixedPrefix.3"), "abcdef", "abc", "", "abc", ""},
		"fixed, exact":   {prefixes("fixed:3"), "abc", "abc", "", "abc", ""},
		"fixed, short":   {prefixes("rocksdb.FixedPrefix.3"), "ab", none, "this key has none", none, "longer prefixes"},
		"capped":         {prefixes("rocksdb.CappedPrefix.3"), "abcdef", "abc", "", "abc", ""},
		"capped, exact":  {prefixes("rocksdb.CappedPrefix.3"), "abc", "abc", "", "abc", ""},
		"capped, short":  {prefixes("capped:3"), "ab", "ab", "", none, "longer prefixes"},
		"no bytes":       {prefixes("capped:3"), "", "", "", none, "longer prefixes"},
		"length 0":       {prefixes("fixed:0"), "ab", "", "", "", ""},
		"noop":           {prefixes("rocksdb.Noop"), "abcdef", "abcdef", "", none, "longer prefixes"},
		"another":        {prefixes("somebody's"), "abcdef", none, `prefixes by "somebody's", which is unknown`, none, "which is unknown"},
		"without length": {prefixes("rocksdb.FixedPrefix"), "abcdef", none, "which is unknown", none, "which is unknown"},
		"no length":      {prefixes("rocksdb.FixedPrefix.x"), "abcdef", none, "which is unknown", none, "which is unknown"},
		"great length":   {prefixes("capped:99999999999999999999"), "abcdef", none, "which is unknown", none, "which is unknown"},
		"no name":        {prefixes(""), "abcdef", none, "does not name", none, "does not name"},
		"no names": {
			Properties{wholeKeysRecorded: true, Prefixes: true}, "abcdef", none, "does not name", none, "does not name",
		},
		"no names, both": {
			Properties{WholeKeys: true, wholeKeysRecorded: true, Prefixes: true}, "abcdef", "abcdef", "", none, "does not name",
		},
		"neither": {Properties{wholeKeysRecorded: true}, "abcdef", none, "neither", none, "neither"},
		"Pebble v1": {
			Properties{wholeKeysRecorded: true, Prefixes: true, PrefixExtractor: "crdb", Comparator: "crdb"},
			"abcdef", "abcdef", "", none, "without their version",
		},
	} {
		e := (&Table{Properties: c.properties}).entries()
		check := func(entry []byte, why, want, wantWhy string) {
			t.Helper()
			got := string(entry)
			if why != "" {
				got = none
			}
			if got != want || (why != "") != (wantWhy != "") || !strings.Contains(why, wantWhy) {
				t.Errorf("%s: %q, %q", what, got, why)
			}
		}
		entry, isPrefix, why := e.ofKey([]byte(c.key))
		check(entry, why, c.entry, c.why)
		if isPrefix != (why == "" && c.properties.Prefixes && !c.properties.WholeKeys && what != "Pebble v1") {
			t.Errorf("%s: looked up as a prefix: %v", what, isPrefix)
		}
		entry, why = e.ofPrefix([]byte(c.key))
		check(entry, why, c.prefix, c.why2)
	}
}
