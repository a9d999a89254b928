package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPartOfInput: how much was read is known if the sizes of all lists are, also of a file that is the standard input.
func TestPartOfInput(t *testing.T) {
	folder := t.TempDir()
	large := filepath.Join(folder, "large")
	writeFile(t, large, lines(10_000, smallBytes)) // 6 bytes each
	writeFile(t, filepath.Join(folder, "small"), "a\nb\n")
	stdin, err := os.Open(large)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if _, err := stdin.Seek(12, 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s     *streams
		names string
		total int64
		keys  int
	}{
		{&streams{in: strings.NewReader("a\n")}, "", 0, 1},
		{&streams{in: strings.NewReader("a\n")}, "- {}/small", 0, 3},
		{&streams{in: strings.NewReader("a\n")}, "{}/small -", 0, 3},
		{&streams{in: strings.NewReader("a\n")}, "{}/small", 4, 2},
		{&streams{in: strings.NewReader("a\n")}, "{}/large {}/small {}/small", 6*smallBytes + 8, smallBytes + 4},
		{&streams{in: stdin}, "", 6*smallBytes - 12, smallBytes - 2},
	} {
		var i input
		names, err := i.fileNames(c.s, strings.Fields(strings.ReplaceAll(c.names, "{}", folder)))
		if err != nil {
			t.Fatal(err)
		}
		if i.total != c.total || i.part() != 0 {
			t.Errorf("%q: %d bytes, want %d, of which %v are read", c.names, i.total, c.total, i.part())
		}
		keys, open := 0, openFiles()
		err = i.each(context.Background(), c.s, names, func(*parsed) error { return nil }, func(p *parsed) error {
			keys += len(p.Records)
			return nil
		})
		if want := min(c.total, 1); err != nil || keys != c.keys || i.part() != float64(want) || openFiles() > open {
			t.Errorf("%q: %d keys, %v, of which %v are read, %d files stay open", c.names, keys, err, i.part(), openFiles()-open)
		}
	}
}

// TestMade: how keys are made is recorded in words between blanks.
func TestMade(t *testing.T) {
	for want, i := range map[string]*input{
		"lines":                {},
		"-0 -raw":              {zero: true, raw: true},
		"-size=4":              {size: 4},
		"-parquet=a.b -size=8": {parquet: "a.b", width: 8},
		`-csv="a\x20b" -delimiter="\t" -quotes=no`: {csv: "a b", delimiter: "\t", quotes: "no"},
		`-csv="\"a\"" -prefix=name -trim -lower`:   {csv: `"a"`, prefix: "name", trim: true, lower: true},
		"lines -upper":                             {upper: true},
		"":                                         {csv: strings.Repeat("x", 996)},
		"-csv=" + strings.Repeat("x", 995):         {csv: strings.Repeat("x", 995)},
	} {
		if got := i.made(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// appearing makes a file when it is read first.
type appearing struct {
	name string
	bytes.Reader
}

func (a *appearing) Read(p []byte) (int, error) {
	if err := os.WriteFile(a.name, []byte("mine\n"), 0o600); err != nil {
		return 0, err
	}
	return a.Reader.Read(p)
}

// TestOutputThatAppears while keys are read is not replaced, either.
func TestOutputThatAppears(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	in := &appearing{name: out}
	in.Reset([]byte("a\n"))
	var problems strings.Builder
	status := run(context.Background(), &streams{in, new(bytes.Buffer), &problems}, []string{"build", "-bits=10", "-file", "-o", out})
	if data, err := os.ReadFile(out); status != badArguments || !strings.Contains(problems.String(), "is no filter file") || string(data) != "mine\n" {
		t.Errorf("status %d, %s; %q, %v", status, &problems, data, err)
	}
}

// TestKeysOfOneByte are no text, whatever bytes they are.
func TestKeysOfOneByte(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, "\xff\xfea\x00", "build -quiet -bits=20 -size=1 -o {}/set")
	if text := must(t, folder, "", "info {}/set"); !strings.Contains(text, " 4\n") || !strings.Contains(text, "-size=1\n") {
		t.Errorf("info: %s", text)
	}
}

// TestKeysThatDoNotFit: -file keeps all keys' hashes in -memory. A set is begun before, and an error at the end leaves
// nothing of it.
func TestKeysThatDoNotFit(t *testing.T) {
	const most = 16 << 20 / 24
	folder := t.TempDir()
	keys := bytes.Repeat([]byte("abcd"), most)
	must(t, folder, string(keys), "build -quiet -bits=10 -size=4 -distinct -memory=16MiB -file -o {}/file")
	status, _, stderr := call(t, folder, string(keys)+"abcd", "build -bits=10 -size=4 -memory=16MiB -file -o {}/new")
	if status != failed || !strings.Contains(stderr, "more than 699,050 keys do not fit in -memory=16MiB") {
		t.Errorf("status %d, %s", status, stderr)
	}
	before := names(t, folder)
	status, _, stderr = call(t, folder, strings.Repeat("abcd", 1<<20+1)+"a", "build -bits=10 -size=4 -memory=16MiB -o {}/set")
	if status != failed || !strings.Contains(stderr, "the rest of it is 1 byte") || names(t, folder) != before {
		t.Errorf("status %d, %s%s", status, stderr, names(t, folder))
	}
}

// TestDistinct: keys that come more than once are one, also if there are more than are kept in memory.
func TestDistinct(t *testing.T) {
	folder := t.TempDir()
	var keys []byte
	for i := range few {
		keys = binary.LittleEndian.AppendUint32(keys, uint32(i))
	}
	all := string(bytes.Repeat(keys, 6))
	for flags, most := range map[string]int64{"-distinct": few, "": 6 * few} {
		var f facts
		text := must(t, folder, all, "build -json -quiet -bits=10 -format=fastlocal -size=4 -memory=16MiB "+flags+" -o {}/set")
		if err := json.Unmarshal([]byte(text), &f); err != nil || f.AddedKeys != 6*few || f.Keys > most || flags != "" && f.Keys != few {
			t.Errorf("%s: %s, %v", flags, text, err)
		}
	}
}
