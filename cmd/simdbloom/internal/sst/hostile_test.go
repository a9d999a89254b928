package sst

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/table"
)

func inspectBytes(data []byte) (*report, error) {
	return inspect(bytes.NewReader(data), int64(len(data)))
}

func contents(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestChangedBytes changes a bit of a table, one of each byte: what was read before is
// read again, or it is an error, except that a format version may be taken for another
// one.
func TestChangedBytes(t *testing.T) {
	for _, name := range []string{"fastlocal-xxh3.sst", "partitioned.sst", "pebble/4-paired.sst", "pebble/6-paired32-xxph3.sst", "pebble/7-linear.sst"} {
		data := contents(t, filepath.Join(testdata, name))
		want, err := inspectBytes(data)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for at := range data {
			changed := bytes.Clone(data)
			changed[at] ^= 1 << (at % 8)
			got, err := inspectBytes(changed)
			if err != nil {
				found++
				continue
			}
			got.Format, got.Version = want.Format, want.Version
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: byte %d was changed, and this was read: %+v", name, at, got)
			}
		}
		if found < int(want.Bytes) {
			t.Errorf("%s: %d changes were found out", name, found)
		}
	}
}

// TestCutFiles: no table is one without its end, whatever the length, and the error says so.
func TestCutFiles(t *testing.T) {
	for _, name := range storedTables(t) {
		data := contents(t, name)
		for n := range data {
			if n%9 > 0 && n > 100 && n < len(data)-100 {
				continue // every length would take a minute with the race detector
			}
			if r, err := inspectBytes(data[:n]); !errors.Is(err, table.ErrUnsupported) || !strings.Contains(err.Error(), "cut short") {
				t.Fatalf("%s: the first %d bytes of %d are %+v, %v", name, n, len(data), r, err)
			}
		}
	}
}

// FuzzReport: no bytes make the command panic, whether it prints reports or looks up keys. Some tables that it begins
// with have no checksums, so that changes get behind them.
func FuzzReport(f *testing.F) {
	for _, name := range storedTables(f) {
		f.Add(withFooterChecksum(contents(f, name)))
	}
	for _, data := range filterFiles(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if filterfile.IsFilterFile(data) {
			lookUpIn(bytes.NewReader(data), int64(len(data)), []table.Query{{}, {Key: data}, {Key: data, Prefix: true}})
		}
		data = withFooterChecksum(data)
		if read, err := table.Open(bytes.NewReader(data), int64(len(data))); err == nil {
			keys := [][]byte{nil, []byte("key00001"), data[:min(len(data), 20)]}
			var queries []table.Query
			for _, key := range keys {
				queries = append(queries, table.Query{Key: key}, table.Query{Key: key, Prefix: true})
			}
			if answers, err := read.Answers(queries); err == nil && len(answers) != len(queries) {
				t.Errorf("%v", answers)
			}
		}
		r, err := inspectBytes(data)
		if err != nil {
			return
		}
		if text := r.text(); r.Kind == "" || r.Format == "" || !utf8.ValidString(text) {
			t.Errorf("%+v, %q", r, text)
		}
		var lines strings.Builder
		l := newList(&lines, []string{r.File})
		if err := errors.Join(l.add(r), l.add(r), l.end(1)); err != nil || !utf8.ValidString(lines.String()) || strings.Count(lines.String(), "\n") < 7 {
			t.Errorf("%+v, %v, %q", r, err, &lines)
		}
	})
}

const pebbleMagic = "\xf0\x9f\xaa\xb3\xf0\x9f\xaa\xb3"

// withFooterChecksum returns a file with the right checksum in its footer, if it is one
// of Pebble's that has one.
func withFooterChecksum(data []byte) []byte {
	if len(data) < 61 || !bytes.HasSuffix(data, []byte(pebbleMagic)) {
		return data
	}
	data = bytes.Clone(data)
	var footer []byte
	switch binary.LittleEndian.Uint32(data[len(data)-12:]) {
	case 6:
		footer = data[len(data)-57:]
	case 7:
		footer = data[len(data)-61:]
	default:
		return data
	}
	at := len(footer) - 16
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	crc := crc32.Update(crc32.Checksum(footer[:at], castagnoli), castagnoli, footer[at+4:])
	binary.LittleEndian.PutUint32(footer[at:], (crc>>15|crc<<17)+0xa282ead8)
	return data
}

// TestDamagedFilterBlock: offsets of filters that are behind the block, and filters of one byte, are errors.
func TestDamagedFilterBlock(t *testing.T) {
	data := contents(t, filepath.Join(testdata, "block-based-unchecked.sst"))
	read, err := table.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	block, err := read.ReadFilterBlock()
	if err != nil {
		t.Fatal(err)
	}
	begin := bytes.Index(data, block)
	end := begin + len(block) - 5
	offsets := begin + int(binary.LittleEndian.Uint32(data[end:]))
	checked := contents(t, filepath.Join(testdata, "block-based.sst")) // with checksums, and the same filters
	checked[bytes.Index(checked, block)] ^= 1
	if r, err := inspectBytes(checked); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("a checksum: %+v, %v", r, err)
	}
	for what, change := range map[string]func(data []byte){
		"the offsets":     func(data []byte) { data[end+3] = 0xff },
		"a filter's byte": func(data []byte) { copy(data[offsets+4:], data[offsets:offsets+4]); data[offsets+4]++ },
	} {
		changed := bytes.Clone(data)
		change(changed)
		if r, err := inspectBytes(changed); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%s: %+v, %v", what, r, err)
		}
	}
}

// TestDamagedPartition: a table of which a filter is damaged has no report.
func TestDamagedPartition(t *testing.T) {
	name := changedTable(t, "partitioned.sst", func(_, filter []byte) { filter[0] ^= 1 })
	if r, err := inspectBytes(contents(t, name)); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestOtherBytes: a table whose filters are none of the policy that it records has no report.
func TestOtherBytes(t *testing.T) {
	for _, name := range []string{"block-based-unchecked.sst", "fastlocal-unchecked.sst"} {
		data := bytes.ReplaceAll(contents(t, filepath.Join(testdata, name)), []byte(builtinName), []byte("simdbloom.SplitBlock.XXPH3"))
		if r, err := inspectBytes(data); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// TestDamagedIndex: the data of a table whose index is damaged cannot be verified.
func TestDamagedIndex(t *testing.T) {
	data := contents(t, filepath.Join(testdata, "ribbon.sst"))
	read, err := table.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	filter, err := read.ReadFilter(0)
	if err != nil {
		t.Fatal(err)
	}
	data[bytes.Index(data, filter.Data)+len(filter.Data)+10] ^= 1 // behind it is the index
	name := write(t, filepath.Join(t.TempDir(), "x.sst"), data)
	for _, flags := range [][]string{{"-verify"}, {"-verify", "-json"}} {
		var stdout, stderr bytes.Buffer
		if status := run(append(flags, name), nil, &stdout, &stderr); status != failed || !strings.Contains(stderr.String(), name+": ") || !strings.Contains(stderr.String(), "index") || strings.Contains(stdout.String(), "OK") {
			t.Errorf("%v: status %d, %s%s", flags, status, &stdout, &stderr)
		}
	}
}

// TestTimestampBytes: keys of an unknown comparator are looked up without the given bytes behind them.
func TestTimestampBytes(t *testing.T) {
	data := contents(t, filepath.Join(testdata, "fastlocal-unchecked.sst"))
	data = bytes.ReplaceAll(data, []byte("leveldb.BytewiseComparator"), []byte("leveldb.AnotherwComparator"))
	name := write(t, filepath.Join(t.TempDir(), "x.sst"), data)
	for given, want := range map[string]int{"": 0, "-timestamp-bytes=0": 0, "-timestamp-bytes=4": notFound} {
		var stdout, stderr bytes.Buffer
		if status := run(append(strings.Fields("-verify "+given), name), nil, &stdout, &stderr); status != want || (want == 0) != strings.Contains(stdout.String(), "100 keys looked up") {
			t.Errorf("%s: status %d, %s%s", given, status, &stdout, &stderr)
		}
	}
}
