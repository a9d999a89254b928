package sst

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// marked is a line with a byte order mark before it, in gzip.
const marked = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x7b\xbf\x7b\x7f\x76\x6a\xa5\x01\x10\x18\x72\x01\x00\x6d\x1b\xdd\x2a\x0c\x00\x00\x00"

// TestKeys has what the command prints about keys, and its exit status.
func TestKeys(t *testing.T) {
	text := write(t, filepath.Join(t.TempDir(), "text"), bytes.Repeat([]byte("text\n"), 20))
	for _, c := range []struct {
		args   string
		stdin  string
		status int
		want   string
		stderr string
	}{
		{"-key key00001 legacy-2.sst", "", 0, "legacy-2.sst: key00001: may contain\n", ""},
		{"-key apple legacy-2.sst", "", 1, "legacy-2.sst: apple: does not contain\n", ""},
		{"-order=bytes -hex -key 6b65793030303031 leveldb.ldb", "", 0, "leveldb.ldb: 6b65793030303031: may contain\n", ""},
		{"-key key00001 -key apple legacy-2.sst", "", 1, "legacy-2.sst: key00001: may contain\nlegacy-2.sst: apple: does not contain\n", ""},
		// A key need not be in each of the files.
		{"-key key01500 legacy-2.sst ribbon.sst", "", 0, "legacy-2.sst: key01500: does not contain\n" +
			"ribbon.sst: key01500: may contain\n", ""},
		{"-key key01999 -key apple ribbon.sst", "", 1, "ribbon.sst: key01999: may contain\nribbon.sst: apple: does not contain\n", ""},
		{"-hex -keys - partitioned-ribbon.sst", "6b65793030393939\n61\n", 1, "partitioned-ribbon.sst: 6b65793030393939: may contain\n" +
			"partitioned-ribbon.sst: 61: does not contain\n", ""},
		{"-order=bytes -keys - leveldb.ldb", "key00999\n\x80\xff\x00\x65\n", 0, "leveldb.ldb: key00999: may contain\n" +
			`leveldb.ldb: "\x80\xff\x00e": may contain` + "\n", ""},
		{"-order=bytes -key zzz leveldb.ldb", "", 1, "leveldb.ldb: zzz: does not contain\n", ""},
		{"-order=bytes -key= -keys - leveldb.ldb", "\n\xff\n", 1, "leveldb.ldb: \"\": does not contain\n" +
			`leveldb.ldb: "\xff": does not contain: it is above all keys of the table` + "\n", ""},
		// LevelDB does not record the order of keys.
		{"-key key00999 leveldb.ldb", "", 0, "leveldb.ldb: key00999: may contain: the table does not record the order of its keys, so any of its filters may have it " +
			"(give the order, if you know it)\n", ""},
		{"-key zzz -order=RocksDB_SE_v3.10 leveldb.ldb", "", 1, "leveldb.ldb: zzz: does not contain\n", ""},
		{"-key zzz -order=any partitioned-ribbon.sst", "", 1, "partitioned-ribbon.sst: zzz: does not contain\n", ""},
		{"-key key00999 -order=any partitioned-ribbon.sst", "", 0, "partitioned-ribbon.sst: key00999: may contain: the order of keys was given as unknown, " +
			"so any of the table's filters may have it\n", ""},
		{"-key key00999 -order=reverse leveldb.ldb", "", 3, "", "leveldb.ldb: unsupported: the index has keys that are not in the order that was given, reverse"},
		{"-key key00999 -order=reverse partitioned-ribbon.sst", "", 0, "partitioned-ribbon.sst: key00999: may contain\n", ""}, // it records another one
		{"-key a -order=idb_cmp1 leveldb.ldb", "", 2, "", `-order: unknown order of keys "idb_cmp1" (known: bytes, reverse, any, leveldb.BytewiseComparator, `},
		{"-key a -extractor=first:3 prefixes.sst", "", 2, "", `-extractor: filterblock: unknown prefix extractor "first:3" (known: fixed:N, capped:N, noop, `},
		{"-order=bytes leveldb.ldb", "", 2, "", "-order, -extractor and -timestamp-bytes need -key, -keys, -prefix or -verify"},
		{"-key key00001 -extractor=fixed:3 prefixes.sst", "", 0, "prefixes.sst: key00001: may contain: by its prefix key0000\n", ""}, // it records another one
		{"-key key00001 prefixes.sst", "", 0, "prefixes.sst: key00001: may contain: by its prefix key0000\n", ""},
		{"-key key prefixes.sst", "", 0, "prefixes.sst: key: may contain: the filter has prefixes only, by rocksdb.FixedPrefix.7, and this key has none\n", ""},
		{"-key zzz -prefix key0009 prefixes.sst", "", 0, "prefixes.sst: zzz: may contain: the filter has prefixes only, by rocksdb.FixedPrefix.7, and this key has none\n" +
			"prefixes.sst: prefix key0009: may contain\n", ""},
		{"-prefix key0009x -prefix key0009xyz keys-and-prefixes.sst", "", 0, "keys-and-prefixes.sst: prefix key0009x: may contain\n" +
			"keys-and-prefixes.sst: prefix key0009xyz: may contain\n", ""},
		{"-hex -prefix 6b657930303979 prefixes.sst", "", 1, "prefixes.sst: prefix 6b657930303979: does not contain\n", ""},
		{"-prefix key0009 -prefix key9999 keys-and-prefixes.sst", "", 1, "keys-and-prefixes.sst: prefix key0009: may contain\n" +
			"keys-and-prefixes.sst: prefix key9999: does not contain\n", ""},
		{"-prefix key keys-and-prefixes.sst", "", 0, "keys-and-prefixes.sst: prefix key: may contain: the filter has longer prefixes, by rocksdb.FixedPrefix.7\n", ""},
		{"-prefix key0009 fastlocal-xxh3.sst", "", 0, "fastlocal-xxh3.sst: prefix key0009: may contain: the filter has whole keys only\n", ""},
		{"-prefix key0009 none.sst", "", 0, "none.sst: prefix key0009: may contain: the table has no filter\n", ""},
		{"-hex -prefix xyz legacy-2.sst", "", 2, "", "-prefix xyz: not hexadecimal"},
		{"-v -key key00500 -prefix key0050 partitioned-prefixes.sst", "", 0, `partitioned-prefixes.sst: key00500: may contain: by its prefix key0050
partitioned-prefixes.sst: prefix key0050: may contain
partitioned-prefixes.sst: read 8 bytes at 0: file's first bytes
partitioned-prefixes.sst: read 61 bytes at 15422: footer
partitioned-prefixes.sst: read 87 bytes at 15338: metaindex
partitioned-prefixes.sst: read 934 bytes at 14399: properties
partitioned-prefixes.sst: read 101 bytes at 13648: filter's index
partitioned-prefixes.sst: read 69 bytes at 13352: filter's partition 3 of 6
`, ""},
		{"-v -prefix key0099 -prefix key9999 partitioned-descending.sst", "", 1, `partitioned-descending.sst: prefix key0099: may contain
partitioned-descending.sst: prefix key9999: does not contain
partitioned-descending.sst: read 8 bytes at 0: file's first bytes
partitioned-descending.sst: read 61 bytes at 16859: footer
partitioned-descending.sst: read 87 bytes at 16775: metaindex
partitioned-descending.sst: read 943 bytes at 15827: properties
partitioned-descending.sst: read 93 bytes at 15110: filter's index
partitioned-descending.sst: read 325 bytes at 13204: filter's partition 1 of 5
`, ""},
		{"-v -json -prefix key none.sst", "", 0, `{"file":"none.sst","format":"RocksDB format_version 5, XXH3 checksums","answers":[{"prefix":"key","may_contain":true,"why":"the table has no filter"}],"reads":[{"what":"file's first bytes","offset":0,"size":8},{"what":"footer","offset":2214,"size":61},{"what":"metaindex","offset":2184,"size":33},{"what":"properties","offset":1320,"size":859}]}
`, ""},
		{"-key apple none.sst", "", 0, "none.sst: apple: may contain: the table has no filter\n", ""},
		{"-key key00001 TEXT legacy-2.sst", "", 3, "legacy-2.sst: key00001: may contain\n", "TEXT: unsupported: cut short, or not a table: the file ends in text"},
		{"-key apple nothing legacy-2.sst", "", 3, "legacy-2.sst: apple: does not contain\n", "nothing: " + openError("nothing")},
		{"-key apple", "", 2, "", "no file was given"},
		{"-key", "", 2, "", "flag needs an argument"},
		{"-hex legacy-2.sst", "", 2, "", "-hex needs -key, -keys or -prefix"},
		{"-v legacy-2.sst", "", 2, "", "-v needs -key, -keys or -prefix"},
		{"-hex -key xyz legacy-2.sst", "", 2, "", "-key xyz: not hexadecimal"},
		{"-keys nothing legacy-2.sst", "", 2, "", "nothing: " + openError("nothing")},
		{"-keys - legacy-2.sst", "", 2, "", "no keys"},
		{"-keys - legacy-2.sst", "\r\n\n", 2, "", "no keys"},
		{"-keys - legacy-2.sst", marked, 0, "legacy-2.sst: key00001: may contain\n", ""},
		{"-keys - legacy-2.sst", marked[:20], 2, "", "cut short"},
		{"-keys - legacy-2.sst", "k\x00e\x00\n\x00", 2, "", "UTF-16"},
		{"-keys - legacy-2.sst", "key00001\n\xef\xbb\xbfkey00002\n\xef\xbb\xbf\n", 0, "legacy-2.sst: key00001: may contain\nlegacy-2.sst: key00002: may contain\n", ""},
		{"-raw -keys - legacy-2.sst", "\xef\xbb\xbfkey00001\nkey00001\n", 1, "legacy-2.sst: \"\\ufeffkey00001\": does not contain\nlegacy-2.sst: key00001: may contain\n", ""},
		{"-raw legacy-2.sst", "", 2, "", "-raw needs -keys"},
		{"-keys - legacy-2.sst", "key00001\r\n\r\nkey00002\r\n", 0, "legacy-2.sst: key00001: may contain\nlegacy-2.sst: key00002: may contain\n", ""},
	} {
		testdata := filepath.ToSlash(testdata) + "/" // which JSON does not escape
		args := strings.Fields(c.args)
		for i, arg := range args {
			switch {
			case arg == "TEXT":
				args[i] = text
			case strings.Contains(arg, ".") && arg[0] != '-':
				args[i] = testdata + arg
			}
		}
		var stdout, stderr bytes.Buffer
		status := run(args, strings.NewReader(c.stdin), &stdout, &stderr)
		printed, said := strings.ReplaceAll(stdout.String(), testdata, ""), strings.ReplaceAll(stderr.String(), text, "TEXT")
		if status != c.status || printed != c.want || !strings.Contains(said, c.stderr) || c.stderr == "" && said != "" {
			t.Errorf("%s: status %d\n%s%s", c.args, status, printed, said)
		}
	}
}

// TestKeysAsJSON: an object for each file, also for those that cannot be read.
func TestKeysAsJSON(t *testing.T) {
	legacy, ribbon := filepath.Join(testdata, "legacy-2.sst"), filepath.Join(testdata, "ribbon.sst")
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-json", "-key=", "-keys", "-", legacy, "nothing", ribbon}, strings.NewReader("key00001\n\xff\n\n"), &stdout, &stderr); status != 3 {
		t.Errorf("status %d", status)
	}
	key, other, empty := "key00001", "ff", ""
	decoder := json.NewDecoder(&stdout)
	for _, want := range []lookedUp{
		{
			File: legacy, Format: "RocksDB format_version 2, crc32c checksums", Name: builtinName,
			Answers: []queryAnswer{{keyOrPrefix: keyOrPrefix{Key: &empty}}, {keyOrPrefix: keyOrPrefix{Key: &key}, MayContain: true}, {keyOrPrefix: keyOrPrefix{KeyHex: &other}}},
		},
		{File: "nothing", Error: openError("nothing")},
		{
			File: ribbon, Format: "RocksDB format_version 5, XXH3 checksums", Name: builtinName,
			Answers: []queryAnswer{{keyOrPrefix: keyOrPrefix{Key: &empty}}, {keyOrPrefix: keyOrPrefix{Key: &key}, MayContain: true}, {keyOrPrefix: keyOrPrefix{KeyHex: &other}}},
		},
	} {
		var got lookedUp
		if err := decoder.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if got.Error != "" && want.Error != "" {
			want.Error = got.Error // the system's words
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}

	stdout.Reset()
	if status := run([]string{"-json", "-hex", "-key", "61", legacy}, nil, &stdout, &stderr); status != 1 ||
		!strings.Contains(stdout.String(), `"answers":[{"key_hex":"61","may_contain":false}]`) {
		t.Errorf("status %d, %s", status, &stdout)
	}
	if status := run([]string{"-key", "a", legacy}, nil, failing{}, &stderr); status != 3 {
		t.Errorf("output that fails: status %d", status)
	}
}
