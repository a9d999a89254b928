package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/table"
)

// opened opens a table in memory.
func opened(t testing.TB, data []byte) *table.Table {
	t.Helper()
	read, err := table.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// keysOf returns the keys of one of the tables that the command is tested with.
func keysOf(name string, read *table.Table) [][]byte {
	if strings.HasSuffix(name, ".ldb") {
		keys := tableKeys(1000)
		for i := range 1000 {
			keys = append(keys, binary.BigEndian.AppendUint32(nil, 0x80ff0000+uint32(i)*101))
		}
		return keys
	}
	return tableKeys(int(read.Properties.NumEntries - read.Properties.NumRangeDeletions))
}

// TestLookUp: every table's filter has its keys, and few others, except those that say why.
func TestLookUp(t *testing.T) {
	always := map[string]string{
		"none.sst": "no filter", "goleveldb-none.ldb": "no filter", "pebble-1-none.sst": "no filter",
		"pebble-7-unknown.sst": "a filter of unknown kind, somebody's.own", "pebble-7-always.sst": "always true",
	}
	var absent [][]byte
	for i := range 2000 {
		absent = append(absent, fmt.Appendf(nil, "%d is absent", i*i), fmt.Appendf(nil, "key%05d is absent", i%1000))
	}
	for _, file := range append(storedTables(t), pebbleTables(t, t.TempDir())...) {
		name := filepath.Base(file)
		read := opened(t, contents(t, file))
		present := keysOf(name, read)
		answers, err := lookUp(read, slices.Concat(present, absent))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, a := range answers[:len(present)] {
			if !a.may {
				t.Fatalf("%s: key %d of %d, %x, is lost", name, i, len(present), present[i])
			}
		}
		found := 0
		for i, a := range answers[len(present):] {
			if a.may {
				found++
			}
			if i%100 == 0 { // each on its own
				if alone, err := lookUp(read, absent[i:i+1]); err != nil || alone[0] != a {
					t.Errorf("%s: %s: %v, but %v among others, %v", name, absent[i], alone, a, err)
				}
			}
			if !strings.Contains(a.why, always[name]) {
				t.Fatalf("%s: %s: %v", name, absent[i], a)
			}
		}
		switch {
		case always[name] != "":
			if found != len(absent) {
				t.Errorf("%s: %d keys of %d", name, found, len(absent))
			}
		case name == "prefixes.sst": // those that begin with the prefix of a key
			if found < len(absent)/20 || found > len(absent)/2 {
				t.Errorf("%s: %d keys of %d", name, found, len(absent))
			}
		case found > len(absent)/20:
			t.Errorf("%s: %d absent keys of %d are found", name, found, len(absent))
		}
	}
}

// TestFilterBlocks compares answers of LevelDB's filters with those of package leveldb for a
// data block.
func TestFilterBlocks(t *testing.T) {
	for name, options := range map[string][]leveldb.Option{
		"leveldb.ldb": nil, "goleveldb.ldb": {leveldb.WithEitherHash()}, "goleveldb-snappy.ldb": {leveldb.WithEitherHash()},
		"block-based.sst": {leveldb.WithSignedHash()},
	} {
		read := opened(t, contents(t, filepath.Join(testdata, name)))
		stored, err := read.ReadBlockFilters()
		if err != nil {
			t.Fatal(err)
		}
		block, err := leveldb.OpenBlock(stored.Data, options...)
		if err != nil {
			t.Fatal(err)
		}
		var keys [][]byte
		for i := range 5000 {
			keys = append(keys, binary.BigEndian.AppendUint32(nil, 0x80ff0000+uint32(i)), fmt.Appendf(nil, "key%06d", 137*i))
		}
		answers, err := lookUp(read, keys)
		if err != nil {
			t.Fatal(err)
		}
		none := 0
		for i, key := range keys {
			want := false
			if offsets := stored.Offsets(key); len(offsets) > 0 {
				want = block.MayContain(offsets[0], key)
			} else if none++; !strings.Contains(answers[i].why, "above all keys") {
				t.Errorf("%s: %x: %v", name, key, answers[i])
			}
			if answers[i].may != want {
				t.Fatalf("%s: %x: %v, want %v", name, key, answers[i], want)
			}
		}
		if none == len(keys) {
			t.Errorf("%s: no key is in the range of the table", name)
		}
	}
}

// TestDamagedTables: an error, or the answer "may contain", but no key is lost, as far as
// checksums tell. Changes of the footer may make another format of it.
func TestDamagedTables(t *testing.T) {
	for _, name := range []string{"legacy-2.sst", "partitioned-3.sst", "ribbon.sst", "leveldb.ldb", "block-based.sst", "goleveldb-paired.ldb"} {
		data := contents(t, filepath.Join(testdata, name))
		keys := keysOf(name, opened(t, data))
		for at := len(data) - 6000; at < len(data)-48; at += 5 {
			if at < 0 {
				continue
			}
			changed := bytes.Clone(data)
			changed[at] ^= 1 << (at % 8)
			read, err := table.Open(bytes.NewReader(changed), int64(len(changed)))
			if err != nil {
				continue
			}
			answers, err := lookUp(read, keys)
			for i, a := range answers {
				if err == nil && !a.may {
					t.Fatalf("%s: byte %d was changed, and key %x is lost", name, at, keys[i])
				}
			}
		}
	}
}

// TestAllFilters: with a comparator that is unknown, a key may be in any filter.
func TestAllFilters(t *testing.T) {
	blockBased := opened(t, contents(t, filepath.Join(testdata, "block-based.sst")))
	blockBased.Properties.Comparator = "another's"
	// This table has no checksums.
	partitioned := contents(t, filepath.Join(testdata, "partitioned-restarts.sst"))
	partitioned = bytes.ReplaceAll(partitioned, []byte("leveldb.BytewiseComparator"), []byte("leveldb.BytewiseComparison"))
	for name, read := range map[string]*table.Table{"block-based": blockBased, "partitioned": opened(t, partitioned)} {
		keys := tableKeys(1000)
		for i := range 1000 {
			keys = append(keys, fmt.Appendf(nil, "absent %d", i))
		}
		answers, err := lookUp(read, keys)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i, a := range answers {
			switch {
			case i < 1000 && !a.may || a.why != "":
				t.Fatalf("%s: key %d: %v", name, i, a)
			case i >= 1000 && a.may:
				found++
			}
		}
		if found == 0 || found > 300 { // about one in 100 for each filter
			t.Errorf("%s: %d absent keys of 1000 are found", name, found)
		}
	}
}

// TestEntries: what is looked up for a key.
func TestEntries(t *testing.T) {
	for what, c := range map[string]struct {
		properties table.Properties
		key, entry string // no entry: nothing is looked up
		why        string
	}{
		"LevelDB":        {table.Properties{}, "abcdef", "abcdef", ""},
		"whole":          {table.Properties{WholeKeys: true, WholeKeysRecorded: true}, "abcdef", "abcdef", ""},
		"both":           {table.Properties{WholeKeys: true, WholeKeysRecorded: true, Prefixes: true, PrefixExtractor: "rocksdb.FixedPrefix.3"}, "abcdef", "abcdef", ""},
		"fixed":          {prefixes("rocksdb.FixedPrefix.3"), "abcdef", "abc", ""},
		"fixed, exact":   {prefixes("fixed:3"), "abc", "abc", ""},
		"fixed, short":   {prefixes("rocksdb.FixedPrefix.3"), "ab", "", "this key has none"},
		"capped":         {prefixes("rocksdb.CappedPrefix.3"), "abcdef", "abc", ""},
		"capped, short":  {prefixes("capped:3"), "ab", "ab", ""},
		"noop":           {prefixes("rocksdb.Noop"), "abcdef", "abcdef", ""},
		"another":        {prefixes("somebody's"), "abcdef", "", "by somebody's, which is unknown"},
		"without length": {prefixes("rocksdb.FixedPrefix"), "abcdef", "", "which is unknown"},
		"no length":      {prefixes("rocksdb.FixedPrefix.x"), "abcdef", "", "which is unknown"},
		"great length":   {prefixes("capped:99999999999999999999"), "abcdef", "", "which is unknown"},
		"none":           {prefixes(""), "abcdef", "", "which is unknown"},
		"neither":        {table.Properties{WholeKeysRecorded: true}, "abcdef", "", "neither"},
		"Pebble v1":      {table.Properties{WholeKeysRecorded: true, Prefixes: true, PrefixExtractor: "crdb", Comparator: "crdb"}, "abcdef", "abcdef", ""},
	} {
		e := entriesOf(&table.Table{Properties: c.properties})
		got, ok := e.entry([]byte(c.key))
		if !ok {
			got = nil
		}
		if string(got) != c.entry || ok != (c.entry != "") || !strings.Contains(e.why, c.why) {
			t.Errorf("%s: %q, %v, %q", what, got, ok, e.why)
		}
	}
}

func prefixes(extractor string) table.Properties {
	return table.Properties{WholeKeysRecorded: true, Prefixes: true, PrefixExtractor: extractor, Comparator: "leveldb.BytewiseComparator"}
}

// TestVersions: "no" has a condition where filters have keys without a part of them.
func TestVersions(t *testing.T) {
	for comparator, want := range map[string]string{
		"leveldb.BytewiseComparator": "", "crdb": "without its version", "leveldb.BytewiseComparator.u64ts": "without its timestamp",
	} {
		read := opened(t, contents(t, pebbleTables(t, t.TempDir())[3]))
		read.Properties.Comparator = comparator
		answers, err := lookUp(read, append(tableKeys(1), []byte("absent")))
		if err != nil || !answers[0].may || answers[0].why != "" || answers[1].may || !strings.Contains(answers[1].why, want) || want == "" && answers[1].why != "" {
			t.Errorf("%s: %v, %v", comparator, answers, err)
		}
	}
}

// TestKeyArguments: hexadecimal digits, and lines.
func TestKeyArguments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte("a\r\n\n 0xB\nc"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		arguments keyArguments
		stdin     string
		want      []string
		err       string
	}{
		"given":      {keyArguments{given: []string{"a", "", "\xff"}}, "", []string{"a", "", "\xff"}, ""},
		"lines":      {keyArguments{files: []string{file}}, "", []string{"a\r", "", " 0xB", "c"}, ""},
		"stdin":      {keyArguments{given: []string{"x"}, files: []string{"-"}}, "a\nb\n", []string{"x", "a", "b"}, ""},
		"hex":        {keyArguments{given: []string{"00fF", "0x61", ""}, hex: true}, "", []string{"\x00\xff", "a", ""}, ""},
		"hex lines":  {keyArguments{files: []string{"-"}, hex: true}, " 61\r\n\n62\n", []string{"a", "", "b"}, ""},
		"not hex":    {keyArguments{given: []string{"xy"}, hex: true}, "", nil, "-key xy: not hexadecimal"},
		"odd hex":    {keyArguments{files: []string{"-"}, hex: true}, "61\n6\n", nil, "-keys -: line 2: not hexadecimal"},
		"hex only":   {keyArguments{hex: true}, "", nil, "-hex needs"},
		"no lines":   {keyArguments{files: []string{"-"}}, "", nil, "no keys"},
		"no file":    {keyArguments{files: []string{file + "2"}}, "", nil, "keys2: no such file"},
		"no keys":    {keyArguments{}, "", nil, ""},
		"empty line": {keyArguments{files: []string{"-"}}, "\n", []string{""}, ""},
	} {
		keys, err := c.arguments.read(strings.NewReader(c.stdin))
		var got []string
		for _, key := range keys {
			got = append(got, string(key))
		}
		if !slices.Equal(got, c.want) || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
}
