package sst

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/table"
)

// opened opens a table in memory.
func opened(t testing.TB, data []byte) *table.Table {
	t.Helper()
	read, err := table.Open(bytes.NewReader(data), int64(len(data)), table.WithOrder(table.Bytewise))
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
	keys := tableKeys(int(read.Properties.NumEntries - read.Properties.NumRangeDeletions))
	if strings.HasPrefix(name, "rocksdb-") { // see newer_test.go of module table
		for i := range keys {
			keys[i] = fmt.Appendf(nil, "user%05d", 7*i)
		}
	}
	return keys
}

// answersFor asks a table for keys.
func answersFor(read *table.Table, keys [][]byte) ([]table.Answer, error) {
	var queries []table.Query
	for _, key := range keys {
		queries = append(queries, table.Query{Key: key})
	}
	return read.Answers(queries)
}

// TestLookUp: every table's filter has its keys, and few others, except those that say why.
func TestLookUp(t *testing.T) {
	always := map[string]string{
		"basho.ldb": "a filter of unknown kind, \"leveldb.BuiltinBloomFilter2 (Basho)\"",
		"none.sst":  "no filter", "goleveldb-none.ldb": "no filter", "1-none.sst": "no filter",
		"7-unknown.sst": "a filter of unknown kind, \"somebody's.own\"", "7-always.sst": "always true",
	}
	var absent [][]byte
	for i := range 2000 {
		absent = append(absent, fmt.Appendf(nil, "%d is absent", i*i), fmt.Appendf(nil, "key%05d is absent", i%1000))
	}
	for _, file := range storedTables(t) {
		name := filepath.Base(file)
		read := opened(t, contents(t, file))
		present := keysOf(name, read)
		answers, err := answersFor(read, slices.Concat(present, absent))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, a := range answers[:len(present)] {
			if !a.MayContain {
				t.Fatalf("%s: key %d of %d, %x, is lost", name, i, len(present), present[i])
			}
		}
		found := 0
		for i, a := range answers[len(present):] {
			if a.MayContain {
				found++
			}
			if i%100 == 0 { // each on its own
				if alone, err := answersFor(read, absent[i:i+1]); err != nil || !reflect.DeepEqual(alone[0], a) {
					t.Errorf("%s: %s: %v, but %v among others, %v", name, absent[i], alone, a, err)
				}
			}
			if !strings.Contains(a.Why, always[name]) {
				t.Fatalf("%s: %s: %v", name, absent[i], a)
			}
		}
		switch {
		case always[name] != "":
			if found != len(absent) {
				t.Errorf("%s: %d keys of %d", name, found, len(absent))
			}
		case strings.HasSuffix(name, "prefixes.sst") && name != "keys-and-prefixes.sst": // those that begin with the prefix of a key
			if found < len(absent)/20 || found > len(absent)/2 {
				t.Errorf("%s: %d keys of %d", name, found, len(absent))
			}
		case found > len(absent)/20:
			t.Errorf("%s: %d absent keys of %d are found", name, found, len(absent))
		}
	}
}

// TestVersions: "no" has a condition where filters have keys without a part of them.
func TestVersions(t *testing.T) {
	for comparator, want := range map[string]string{
		"leveldb.BytewiseComparator": "", "crdb": "without its version", "leveldb.BytewiseComparator.u64ts": "without its timestamp",
	} {
		read := opened(t, contents(t, filepath.Join(testdata, "pebble", "4-paired.sst")))
		read.Properties.Comparator = comparator
		answers, err := answersFor(read, append(tableKeys(1), []byte("absent")))
		if err != nil || !answers[0].MayContain || answers[0].Why != "" || answers[1].MayContain ||
			!strings.Contains(answers[1].Why, want) || !strings.HasSuffix(answers[1].Why, "the table has 2 deletions of ranges, which may delete it in older tables") {
			t.Errorf("%s: %v, %v", comparator, answers, err)
		}
	}
}

// TestExtractor: the one that is given is used if the recorded one is unknown.
func TestExtractor(t *testing.T) {
	for given, want := range map[string]bool{"": true, "fixed:7": false} {
		options, err := (&tableArguments{extractor: given, timestamp: -1}).options(true)
		if err != nil {
			t.Fatal(err)
		}
		data := contents(t, filepath.Join(testdata, "prefixes.sst"))
		read, err := table.Open(bytes.NewReader(data), int64(len(data)), options...)
		if err != nil {
			t.Fatal(err)
		}
		read.Properties.PrefixExtractor = "somebody's"
		answers, err := answersFor(read, append(tableKeys(1), []byte("absent key")))
		if err != nil || !answers[0].MayContain || answers[1].MayContain != want {
			t.Errorf("-extractor=%s: %v, %v", given, answers, err)
		}
	}
}

// TestKeyArguments: hexadecimal digits, and lines.
func TestKeyArguments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte("a\r\n\n\r\n 0xB\nc\r\r\n \r\nd\r"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		arguments keyArguments
		stdin     string
		want      []string
		err       string
	}{
		"given":      {keyArguments{given: []string{"a", "", "\xff"}}, "", []string{"a", "", "\xff"}, ""},
		"lines":      {keyArguments{files: []string{file}}, "", []string{"a", " 0xB", "c\r", " ", "d"}, ""},
		"stdin":      {keyArguments{given: []string{"x"}, files: []string{"-"}}, "a\nb\n", []string{"x", "a", "b"}, ""},
		"hex":        {keyArguments{given: []string{"00fF", "0x61", ""}, hex: true}, "", []string{"\x00\xff", "a", ""}, ""},
		"hex lines":  {keyArguments{files: []string{"-"}, hex: true}, " 61\r\n\n \r\n62\r\n0x\n0d", []string{"a", "b", "", "\r"}, ""},
		"not hex":    {keyArguments{given: []string{"xy"}, hex: true}, "", nil, "-key xy: not hexadecimal"},
		"odd hex":    {keyArguments{files: []string{"-"}, hex: true}, "61\r\n\r\n6\r\n", nil, "-keys -: line 3: not hexadecimal"},
		"hex only":   {keyArguments{hex: true}, "", nil, "-hex needs"},
		"no lines":   {keyArguments{files: []string{"-"}}, "", nil, "no keys"},
		"no file":    {keyArguments{files: []string{file + "2"}}, "", nil, "keys2: " + openError(file+"2")},
		"no keys":    {keyArguments{}, "", nil, ""},
		"prefixes":   {keyArguments{given: []string{"a"}, files: []string{"-"}, prefixes: []string{"b", ""}}, "c\n", []string{"a", "c", "b*", "*"}, ""},
		"hex prefix": {keyArguments{prefixes: []string{"0x6162"}, hex: true}, "", []string{"ab*"}, ""},
		"not hex 2":  {keyArguments{prefixes: []string{"6"}, hex: true}, "", nil, "-prefix 6: not hexadecimal"},
		"verbose":    {keyArguments{verbose: true}, "", nil, "-v needs"},
		"empty line": {keyArguments{files: []string{"-"}}, "\n\r\n\n", nil, "no keys"},
	} {
		queries, err := c.arguments.read(strings.NewReader(c.stdin))
		var got []string
		for _, query := range queries {
			text := string(query.Key)
			if query.Prefix {
				text += "*"
			}
			got = append(got, text)
		}
		if !slices.Equal(got, c.want) || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
}

// TestHexadecimal: blanks around a key, and 0x, are no part of it.
func TestHexadecimal(t *testing.T) {
	for _, text := range []string{"616c", " 616C", "0x616c ", "\t0X616c"} {
		if key, err := (&keyArguments{hex: true}).parse([]byte(text)); err != nil || string(key) != "al" {
			t.Errorf("%q: %q, %v", text, key, err)
		}
	}
}
