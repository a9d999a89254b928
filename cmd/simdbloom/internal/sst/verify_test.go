package sst

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/table"
)

// changedTable writes a table of testdata with other bytes: those of the first filter, without its trailer, or one byte
// of the first data block.
func changedTable(t *testing.T, name string, change func(data []byte, filter []byte)) string {
	t.Helper()
	data := contents(t, filepath.Join(testdata, name))
	read, err := table.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := read.ReadFilter(0)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, f.Data)
	change(data, data[at:at+len(f.Data)-5])
	return write(t, filepath.Join(t.TempDir(), filepath.Base(name)), data)
}

func withoutKeys(_, filter []byte) { clear(filter) }

func withDamage(data, _ []byte) { data[20] ^= 1 }

// TestVerifyFlag: what is printed, and the exit status.
func TestVerifyFlag(t *testing.T) {
	sound := filepath.Join(testdata, "keys-and-prefixes.sst")
	missing := changedTable(t, "fastlocal-unchecked.sst", withoutKeys)
	damaged := changedTable(t, "partitioned.sst", withDamage)
	speedb21 := filepath.Join(testdata, "pebble", "as-speedb-2.1.sst")
	unpaired := changedTable(t, filepath.Join("pebble", "as-speedb-2.1.sst"), func(_, filter []byte) {
		filter[0] ^= 31
		block := filter[:len(filter)+5+1] // with its trailer, and the byte for the compression
		crc := crc32.Checksum(block, crc32.MakeTable(crc32.Castagnoli))
		binary.LittleEndian.PutUint32(block[len(block):len(block)+4], (crc>>15|crc<<17)+0xa282ead8)
	})
	for _, c := range []struct {
		files          []string
		status         int
		stdout, stderr []string
	}{
		{[]string{sound}, 0, []string{": OK, 100 entries in 1 data block, 100 keys looked up, 10 prefixes looked up\n"}, nil},
		{[]string{filepath.Join(testdata, "none.sst")}, 0, []string{"not looked up: the table has no filter"}, nil},
		{[]string{filepath.Join(testdata, "leveldb.ldb")}, 0, []string{": OK, 2,000 entries in 9 data blocks, 2,000 keys looked up\n"}, nil},
		{
			[]string{missing, sound},
			notFound,
			[]string{": keys are MISSING in the filter, 100 entries", ": missing: 100; the first is key00000, in data block 1 of 1 at 0\n", "2 files: 1 OK, 1 with missing keys, 0 corrupt, 0 that"},
			nil,
		},
		{
			[]string{damaged, missing, sound},
			failed,
			[]string{": CORRUPT: 1 block could not be read, 9", "keys are MISSING", "3 files: 1 OK, 1 with missing keys, 1 corrupt, 0 that"},
			[]string{"partitioned.sst: data block 1 of 27, ", " bytes at 0: corrupt table"},
		},
		{[]string{speedb21}, 0, []string{": OK, 200 entries in 1 data block, 200 keys looked up\n"}, nil},
		{
			[]string{unpaired, speedb21},
			failed,
			[]string{": CORRUPT: 1 block could not be read, 200 entries", "2 files: 1 OK, 0 with missing keys, 1 corrupt"},
			[]string{"the pair indexes fit batches of neither 32 blocks (block 0 is paired with block", ") nor 128 (block 0 is paired with block"},
		},
		{
			[]string{sound, "nothing", filepath.Join(testdata, "pebble", "7-linear.sst")},
			failed,
			[]string{"3 files: 2 OK, 0 with missing keys, 0 corrupt, 1 that could not be read\n"},
			[]string{"nothing: "},
		},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(append([]string{"-verify"}, c.files...), nil, &stdout, &stderr); status != c.status {
			t.Errorf("%v: status %d, want %d", c.files, status, c.status)
		}
		for _, want := range c.stdout {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("%v: got %s, want %q", c.files, &stdout, want)
			}
		}
		for _, want := range c.stderr {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%v: got %s, want %q", c.files, &stderr, want)
			}
		}
		if (stderr.Len() > 0) != (c.stderr != nil) {
			t.Errorf("%v: %s", c.files, &stderr)
		}
	}
}

// TestVerifyBesideBorders: tables of testdata/borders, whose keys only the filter of another block has, and an index
// that names a block twice.
func TestVerifyBesideBorders(t *testing.T) {
	for name, c := range map[string]struct {
		status         int
		stdout, stderr string
	}{
		"in-the-next.ldb":    {notFound, ": missing: 1; the first is b, in data block 1 of 2 at 0\n", ""},
		"in-the-next.sst":    {notFound, ": missing: 1; the first is b, in data block 1 of 2 at 0\n", ""},
		"not-the-second.ldb": {notFound, ": missing: 1; the first is m, in data block 2 of 2 at 3", ""},
		"not-the-first.sst":  {notFound, ": missing: 2; the first is m, in data block 1 of 2 at 0\n", ""},
		"overlapping.ldb":    {failed, ": CORRUPT: 1 block could not be read, 2 entries", "index's partition 2 of 3, "},
	} {
		var stdout, stderr bytes.Buffer
		status := run([]string{"-verify", filepath.Join(testdata, "borders", name)}, nil, &stdout, &stderr)
		if status != c.status || !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) || (stderr.Len() > 0) != (c.stderr != "") {
			t.Errorf("%s: status %d, %s%s", name, status, &stdout, &stderr)
		}
	}
}

// TestVerifyJSON: an object for each file.
func TestVerifyJSON(t *testing.T) {
	missing, damagedFile := changedTable(t, "fastlocal-unchecked.sst", withoutKeys), changedTable(t, "partitioned.sst", withDamage)
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-verify", "-json", missing, damagedFile, "nothing"}, nil, &stdout, &stderr); status != failed {
		t.Errorf("status %d", status)
	}
	var got [3]verified
	objects := json.NewDecoder(&stdout)
	for i := range got {
		if err := objects.Decode(&got[i]); err != nil {
			t.Fatal(err)
		}
	}
	if r := got[0]; r.File != missing || r.Status != "missing keys" || r.Missing != 100 || r.Keys != 100 || r.First == nil || *r.First.Key != "key00000" || r.First.Block != "data block 1 of 1" {
		t.Errorf("%+v", r)
	}
	if r := got[1]; r.Status != "corrupt" || r.NumDamaged != 1 || len(r.Damaged) != 1 || r.Damaged[0].Block != "data block 1 of 27" || r.Damaged[0].Size == 0 || r.Missing != 0 {
		t.Errorf("%+v", r)
	}
	if r := got[2]; r.File != "nothing" || r.Error == "" || r.Status != "unreadable" {
		t.Errorf("%+v", r)
	}
	if err := objects.Decode(new(verified)); err != io.EOF {
		t.Error(err)
	}
}

// TestVerifyArguments: flags that do not go together.
func TestVerifyArguments(t *testing.T) {
	sound := filepath.Join(testdata, "partitioned.sst")
	for args, want := range map[string]string{
		"-verify -key a": "cannot be given with", "-verify -long": "cannot be given with",
		"-verify -order=size": "bytes", "-verify -extractor=half": "fixed:N", "-order=bytes": "-verify",
	} {
		var stdout, stderr bytes.Buffer
		if status := run(append(strings.Fields(args), sound), nil, &stdout, &stderr); status != badArguments || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: status %d, %s", args, status, &stderr)
		}
	}
	for _, args := range []string{"-verify -quiet", "-verify -order=bytes", "-verify -order=any", "-verify -extractor=fixed:4"} {
		var stdout, stderr bytes.Buffer
		if status := run(append(strings.Fields(args), sound), nil, &stdout, &stderr); status != 0 || !strings.Contains(stdout.String(), ": OK, ") {
			t.Errorf("%s: status %d, %s%s", args, status, &stdout, &stderr)
		}
	}
}

type recordedProgress struct{ calls []string }

func (p *recordedProgress) At(done, total uint64) {
	p.calls = append(p.calls, fmt.Sprintf("%d of %d", done, total))
}

func (p *recordedProgress) Clear() { p.calls = append(p.calls, "clear") }

// TestVerifyProgress: it ends with all bytes, and does not stay in front of a line of the output.
func TestVerifyProgress(t *testing.T) {
	name := filepath.Join(testdata, "partitioned.sst")
	progress := new(recordedProgress)
	c := Command{Progress: progress}
	flags := flag.NewFlagSet("sst", flag.ContinueOnError)
	c.AddTo(flags)
	if err := flags.Parse([]string{"-verify", name}); err != nil {
		t.Fatal(err)
	}
	if status := c.Run(flags.Args(), io.Discard, io.Discard); status != 0 {
		t.Errorf("status %d", status)
	}
	size := len(contents(t, name))
	n := len(progress.calls)
	if n != 27+2 || progress.calls[n-2] != fmt.Sprintf("%d of %d", size, size) || progress.calls[n-1] != "clear" {
		t.Errorf("%d calls: %v", n, progress.calls)
	}
}

// TestOneOfEach: what is one is not many.
func TestOneOfEach(t *testing.T) {
	key := "a"
	one := &verified{File: "f", Status: "missing keys", Blocks: 1, Entries: 1, Keys: 1, Prefixes: 1, Missing: 1, First: &missingKey{keyOrPrefix{Key: &key}, "data block 1 of 1", 7}}
	if got := one.text(); got != "f: keys are MISSING in the filter, 1 entry in 1 data block, 1 key looked up, 1 prefix looked up\nf: missing: 1; the first is a, in data block 1 of 1 at 7\n" {
		t.Error(got)
	}
	damaged := &verified{File: "f", Status: "corrupt", NumDamaged: 1, NumUnread: 1}
	if got := damaged.text(); got != "f: CORRUPT: 1 block could not be read\n" {
		t.Error(got)
	}
	unread := &verified{File: "f", Status: "not verified", NumUnread: 1}
	if got := unread.text(); got != "f: NOT VERIFIED\n" {
		t.Error(got)
	}
}
