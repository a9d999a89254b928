package table

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestConditionsOfNo: an answer "no" has a condition if keys may have more than what the filter was given.
func TestConditionsOfNo(t *testing.T) {
	const version, timestamp, length = "give the key without its version", "give the key without its timestamp", "give the length of timestamps"
	own := NewOrder("own", bytes.Compare)
	pebble := Format{databasePebble, 4, crc32c}
	timestamps := func(least, most int) []string {
		return []string{"rocksdb.timestamp_min", strings.Repeat("t", least), "rocksdb.timestamp_max", strings.Repeat("t", most)}
	}
	for _, c := range []struct {
		format     Format
		comparator string
		given      *Order
		properties []string // and that the filter has whole keys
		want       string
	}{
		{levelDB, "", nil, nil, ""},
		{pebble, "", nil, nil, ""},
		{pebble, bytewise, nil, nil, ""},
		{pebble, "own", nil, nil, version + `, if the comparer "own" has versions`},
		{pebble, "own", &Bytewise, nil, version + `, if the comparer "own" has versions`},
		{rocksDB5, bytewise, nil, nil, ""},
		{rocksDB5, "rev:RocksDB_SE_v3.10", nil, nil, ""},
		{rocksDB5, bytewise + timestamped, nil, nil, timestamp},
		{rocksDB5, "own" + timestamped, nil, nil, timestamp},
		{rocksDB5, "own", nil, timestamps(8, 8), timestamp},
		{rocksDB5, "own", nil, timestamps(1, 1), timestamp},
		{rocksDB5, "own", nil, timestamps(8, 9), timestamp},
		{rocksDB5, "own", nil, nil, ""},
		{rocksDB5, "own", &own, nil, ""},
		{rocksDB5, "own", &ReverseBytewise, nil, length + `, if the comparator "own" has some`},
		{rocksDB5, "own", &Bytewise, []string{"rocksdb.tail.start.offset", "1"}, ""}, // written by a version that records timestamps
		{rocksDB5, "own", &Bytewise, []string{"rocksdb.user.defined.timestamps.persisted", "\x00"}, ""},
	} {
		read := &Table{Format: c.format, given: c.given}
		for i, pairs := 0, append(c.properties, string(comparator), c.comparator, string(hasKeys), "1"); i < len(pairs); i += 2 {
			if err := read.Properties.add([]byte(pairs[i]), []byte(pairs[i+1])); err != nil {
				t.Fatal(err)
			}
		}
		if e := read.entries(); e.unless != c.want {
			t.Errorf("%+v: %q", c, e.unless)
		}
	}
}

// TestReasons: answers have the condition of a "no" for a key, deletions of ranges, and why a filter is always true.
func TestReasons(t *testing.T) {
	const timestamp, deletions = "give the key without its timestamp", "the table has 3 deletions of ranges, which may delete it in older tables"
	p := prefixTable{keys: orderKeys(), comparator: bytewise + timestamped, extractor: "fixed:4", wholeKeys: true}
	read := opened(t, p.write(t, 20))
	queries := []Query{{Key: p.keys[3]}, {Key: []byte("absent")}, {Key: []byte("absent"), Prefix: true}}
	for n, want := range map[uint64][3]string{0: {"", timestamp, ""}, 3: {"", timestamp + "; " + deletions, deletions}} {
		read.Properties.NumRangeDeletions = n
		answers, err := read.Answers(queries)
		for i, a := range answers {
			if err != nil || a.MayContain != (i == 0) || a.Why != want[i] {
				t.Errorf("%d deletions: %+v: %+v, %v", n, queries[i], a, err)
			}
		}
	}
	a, err := answersFor(tableOf(t, fullFilter, builtin, make([]byte, 70)), [][]byte{[]byte("key")})
	if err != nil || !a[0].MayContain || a[0].Why != "the filter is always true (reserved, or given up while it was built)" {
		t.Errorf("%+v, %v", a, err)
	}
	i := &image{format: rocksDB5}
	a, err = answersFor(opened(t, i.finish(rowBlock([]byte(fullFilter+builtin), encoded(i.add(filterOf(t, "key"), 0x81))))), [][]byte{[]byte("absent")})
	if err != nil || !a[0].MayContain || !strings.Contains(a[0].Why, "the filter is compressed by compression 0x81") {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestFormatsInWords is Format's String.
func TestFormatsInWords(t *testing.T) {
	for want, f := range map[string]Format{
		"RocksDB format_version 5, XXH3 checksums": rocksDB5, "Pebble v7, crc32c checksums": pebble7, "LevelDB, crc32c checksums": levelDB,
	} {
		if f.String() != want {
			t.Errorf("%s, want %s", f, want)
		}
	}
}

// TestVerifyOfFilesThatFail: an error of reading is returned, or a block's, which may be read later. No key is missing.
func TestVerifyOfFilesThatFail(t *testing.T) {
	data := testTable(t, "orders/leveldb-built.ldb")
	broken := errors.New("broken")
	for n := 1; ; n++ {
		file := &failingOnce{data: data, n: n, err: broken}
		read, err := Open(file, int64(len(data)))
		if err != nil {
			continue
		}
		v, err := read.Verify(t.Context(), VerifyOptions{})
		if file.n > 0 {
			return // no more reads
		}
		if !errors.Is(err, broken) && (err != nil || v.Missing > 0 || v.Damaged > 0 && !errors.Is(v.Problems[0].Err, broken)) {
			t.Errorf("read %d: %+v, %v", n, v, err)
		}
	}
}
