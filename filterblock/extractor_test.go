package filterblock_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
)

// TestRocksDBsExtractors: their names, and the prefixes that util/slice.cc has.
func TestRocksDBsExtractors(t *testing.T) {
	for _, c := range []struct {
		text, name string
		prefixes   map[string]string // "-" for a key without one
	}{
		{"fixed:3", "rocksdb.FixedPrefix.3", map[string]string{"abcd": "abc", "abc": "abc", "ab": "-", "": "-"}},
		{"rocksdb.FixedPrefix.3", "rocksdb.FixedPrefix.3", map[string]string{"abcd": "abc", "ab": "-"}},
		{"{id=rocksdb.FixedPrefix.3;}", "rocksdb.FixedPrefix.3", map[string]string{"abcd": "abc"}},
		{"{id=fixed:3}", "rocksdb.FixedPrefix.3", map[string]string{"abcd": "abc"}},
		{"fixed:0", "rocksdb.FixedPrefix.0", map[string]string{"abcd": "", "": ""}},
		{"capped:3", "rocksdb.CappedPrefix.3", map[string]string{"abcd": "abc", "ab": "ab", "": ""}},
		{"rocksdb.CappedPrefix.3", "rocksdb.CappedPrefix.3", map[string]string{"abcd": "abc", "ab": "ab"}},
		{"noop", "rocksdb.Noop", map[string]string{"abcd": "abcd", "": ""}},
		{"rocksdb.Noop", "rocksdb.Noop", map[string]string{"abcd": "abcd", "": ""}},
		{"nullptr", "", map[string]string{"abcd": "-"}},
		{"", "", map[string]string{"abcd": "-"}},
	} {
		e, err := filterblock.ParseExtractor(c.text)
		if err != nil || e.Name() != c.name {
			t.Errorf("%q: %q, %v, want %q", c.text, e.Name(), err, c.name)
			continue
		}
		for key, want := range c.prefixes {
			prefix, ok := e.Prefix([]byte(key))
			if ok != (want != "-") || ok && string(prefix) != want {
				t.Errorf("%s: the prefix of %q is %q, %v, want %q", c.text, key, prefix, ok, want)
			}
		}
	}
}

func TestUnknownExtractors(t *testing.T) {
	for _, text := range []string{
		"rocksdb.FixedPrefix", "rocksdb.CappedPrefix", "rocksdb.FixedPrefix.", "rocksdb.FixedPrefix.x", "fixed", "fixed:", "fixed:-1", "fixed:+1",
		"fixed:2147483648", "capped:1.5", "leveldb.BytewiseComparator", "rocksdb.FixedPrefix:3", "fixed.3", "{id=}x", " noop",
	} {
		if e, err := filterblock.ParseExtractor(text); err == nil || e != nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v, %v", text, e, err)
		}
	}
}

func TestOwnExtractor(t *testing.T) {
	e := filterblock.NewExtractor("mine", func(key []byte) ([]byte, bool) {
		at := bytes.IndexByte(key, ':')
		return key[:at+1], at >= 0
	})
	prefix, ok := e.Prefix([]byte("user:1"))
	if _, none := e.Prefix([]byte("user")); e.Name() != "mine" || !ok || string(prefix) != "user:" || none {
		t.Errorf("%s: %q, %v, %v", e.Name(), prefix, ok, none)
	}
	for _, name := range []string{"", "nullptr", "fixed:3", "rocksdb.FixedPrefix.3", "rocksdb.Noop"} {
		mustPanic(t, name, func() { filterblock.NewExtractor(name, e.Prefix) })
	}
	mustPanic(t, "no function", func() { filterblock.NewExtractor("mine", nil) })
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}
