package sst

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExpanded: folders and patterns are the tables in them, and the names of files are no patterns.
func TestExpanded(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"db/000002.sst", "db/000001.ldb", "db/CURRENT", "db/LOG", "db/lost/000003.sst", "other/x.sst", "empty/LOG", "[a].sst", "a.sst"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, name, nil)
	}
	for names, want := range map[string]string{
		"db": "db/000001.ldb db/000002.sst", "db other": "db/000001.ldb db/000002.sst other/x.sst", "./db/": "db/000001.ldb db/000002.sst",
		"db/*.sst": "db/000002.sst", "*/*.sst": "db/000002.sst other/x.sst", "d?": "db/000001.ldb db/000002.sst", "db/0000[0-9]1.*": "db/000001.ldb",
		"empty": "empty", "*.none": "*.none", "missing": "missing", "db/CURRENT": "db/CURRENT", "[a].sst": "[a].sst", "[": "[", "*.sst a.sst": "[a].sst a.sst a.sst",
	} {
		got := expanded(strings.Fields(names))
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q", names, got)
		}
	}
}

// TestFolder: a folder's tables are printed, looked up and verified.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"ribbon.sst", "legacy-2.sst", "leveldb.ldb"} {
		write(t, filepath.Join(dir, name), contents(t, filepath.Join(testdata, name)))
	}
	write(t, filepath.Join(dir, "CURRENT"), []byte("no table"))
	for args, want := range map[string]string{"": "total", "-key=key01999": "may contain", "-verify": "3 files: 3 OK, ", "-json": `"file"`} {
		for _, name := range []string{dir, filepath.Join(dir, "*.[sl]*")} {
			var stdout, stderr bytes.Buffer
			status := run(append(strings.Fields(args), name), nil, &stdout, &stderr)
			if status != 0 || stderr.Len() > 0 || !strings.Contains(stdout.String(), want) || !strings.Contains(stdout.String(), "ribbon.sst") {
				t.Errorf("%s %s: status %d, %s%s", args, name, status, &stdout, &stderr)
			}
		}
	}
}

// TestNotVerified: a block of an unknown compression is no damage, and no "OK".
func TestNotVerified(t *testing.T) {
	data := contents(t, filepath.Join(testdata, "fastlocal-unchecked.sst"))
	name := filepath.Join(t.TempDir(), "x.sst")
	for at := range data { // until it is the compression of the only data block
		changed := bytes.Clone(data)
		changed[at] = 0x81
		write(t, name, changed)
		var stdout, stderr, asJSON bytes.Buffer
		status := run([]string{"-verify", name}, nil, &stdout, &stderr)
		if !strings.Contains(stdout.String(), "compression 0x81") {
			continue
		}
		line := name + ": NOT VERIFIED, not looked up: 1 block cannot be read: the data block 1 of 1: unsupported: compressed by compression 0x81\n"
		if status != 0 || stdout.String() != line || stderr.Len() > 0 {
			t.Errorf("status %d, %s%s", status, &stdout, &stderr)
		}
		stdout.Reset()
		if run([]string{"-verify", name, name}, nil, &stdout, &stderr); !strings.Contains(stdout.String(), "2 files: 0 OK, 2 NOT VERIFIED, 0 with") {
			t.Error(&stdout)
		}
		if run([]string{"-verify", "-json", name}, nil, &asJSON, &stderr); !strings.Contains(asJSON.String(), `"status":"not verified"`) || !strings.Contains(asJSON.String(), `"unread_blocks":1`) {
			t.Error(&asJSON)
		}
		return
	}
	t.Error("no byte is the compression of a data block")
}

// TestUnknownFilter: a filter that a fork stores in its own way is printed by its name.
func TestUnknownFilter(t *testing.T) {
	data := contents(t, filepath.Join(testdata, "block-based-unchecked.sst"))
	name := write(t, filepath.Join(t.TempDir(), "x.sst"), bytes.Replace(data, []byte("filter.rocksdb.Built"), []byte("afilter.ocksdb.Built"), 1))
	for args, want := range map[string]string{
		"":         "filter         afilter.ocksdb.BuiltinBloomFilter\n  kind           unknown\n",
		"-json":    `"name":"afilter.ocksdb.BuiltinBloomFilter","kind":"unknown"`,
		"-key=key": `may contain: a filter of unknown kind, "afilter.ocksdb.BuiltinBloomFilter"`,
		"-verify":  `not looked up: a filter of unknown kind, "afilter.ocksdb.BuiltinBloomFilter"`,
	} {
		var stdout, stderr bytes.Buffer
		if status := run(append(strings.Fields(args), name), nil, &stdout, &stderr); status != 0 || !strings.Contains(stdout.String(), want) || strings.Contains(stdout.String(), "has no filter") {
			t.Errorf("%s: status %d, %s%s", args, status, &stdout, &stderr)
		}
	}
}
