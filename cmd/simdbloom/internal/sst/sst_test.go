package sst

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the expected output again")

// testdata has the tables that module table is tested with, too.
var testdata = filepath.Join("..", "..", "..", "..", "table", "testdata")

// storedTables were written by RocksDB and by Pebble (see internal/test/modules; those of block-based
// filters are made up, see table's blockfilters_test.go), by LevelDB (see leveldb.c beside them), and
// by goleveldb (see adapters/goleveldb).
func storedTables(t testing.TB) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.sst", "*.ldb", "pebble/*.sst"} {
		found, err := filepath.Glob(filepath.Join(testdata, pattern))
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		names = append(names, found...)
	}
	return names
}

func write(t testing.TB, name string, data []byte) string {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestOutput compares the command's output with what is in testdata.
func TestOutput(t *testing.T) {
	names := storedTables(t)
	for i, name := range names {
		names[i] = filepath.ToSlash(name) // which Windows reads, too
	}
	folder := filepath.ToSlash(testdata) + "/"
	paths := strings.NewReplacer(folder, "")
	for file, flags := range map[string][]string{"list.txt": nil, "output.txt": {"-long"}, "output.json": {"-json"}} {
		var stdout, stderr bytes.Buffer
		if status := run(append(flags, names...), nil, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
			t.Fatalf("status %d, %s", status, &stderr)
		}
		got := paths.Replace(stdout.String())
		file = filepath.Join("testdata", file)
		if *update {
			write(t, file, []byte(got))
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s", file, got)
		}
	}
}

// withoutPadding has a space in place of several: the width of a list's first column depends on the
// length of a temporary folder's name.
func withoutPadding(text string) string { return regexp.MustCompile(" +").ReplaceAllString(text, " ") }

// TestOneFile: one file is printed in full, and several are with -long.
func TestOneFile(t *testing.T) {
	names := storedTables(t)[:2]
	outputOf := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		if status := run(args, nil, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
			t.Errorf("%v: status %d, %s", args, status, &stderr)
		}
		return stdout.String()
	}
	first, second := outputOf(names[0]), outputOf(names[1])
	if !strings.HasPrefix(first, names[0]+"\n  table ") {
		t.Errorf("one file is %s", first)
	}
	if got := outputOf("-long", names[0]); got != first {
		t.Errorf("one file with -long is %s", got)
	}
	if got := outputOf("-long", names[0], names[1]); got != first+"\n"+second {
		t.Errorf("two files with -long are %s", got)
	}
	if got := outputOf("-json", "-long", names[0], names[1]); got != outputOf("-json", names[0])+outputOf("-json", names[1]) {
		t.Errorf("two files with -json are %s", got)
	}
}

// openError returns what the system says about a file that cannot be opened.
func openError(name string) string {
	var failed *fs.PathError
	if _, err := os.Open(name); !errors.As(err, &failed) {
		return ""
	}
	return failed.Err.Error()
}

// TestFilesThatCannotBeRead are named, and the others are printed.
func TestFilesThatCannotBeRead(t *testing.T) {
	directory := t.TempDir()
	good := storedTables(t)[0]
	text := write(t, filepath.Join(directory, "text"), bytes.Repeat([]byte("text\n"), 20))
	empty := write(t, filepath.Join(directory, "empty"), nil)
	missing := filepath.Join(directory, "missing\x1b")
	files := []string{text, good, empty, missing, directory, good}

	var stdout, stderr bytes.Buffer
	if status := run(files, nil, &stdout, &stderr); status != 3 {
		t.Errorf("status %d", status)
	}
	if n := strings.Count(stdout.String(), "\n"+good); n != 2 || strings.Contains(stdout.String(), directory) ||
		!strings.Contains(stdout.String(), "\nfiles that could not be read: 4\n") {
		t.Errorf("printed %s", &stdout)
	}
	for _, want := range []string{text + ": unsupported: cut short, or not a table: the file ends in text", empty + ": unsupported: cut short, or not a table: the file is empty", `missing\x1b": ` + openError(missing), directory + ": a folder: name the tables"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("no %q in %s", want, &stderr)
		}
	}

	stdout.Reset()
	if status := run(append([]string{"-long"}, files...), nil, &stdout, &stderr); status != 3 || strings.Count(stdout.String(), "  kind ") != 2 || strings.Contains(stdout.String(), directory) {
		t.Errorf("-long: status %d, %s", status, &stdout)
	}
	stdout.Reset()
	if status := run(append([]string{"-json"}, files...), nil, &stdout, &stderr); status != 3 {
		t.Errorf("status %d", status)
	}
	decoder := json.NewDecoder(&stdout)
	for i, name := range files {
		var r report
		if err := decoder.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if r.File != name || (r.Error == "") != (i == 1 || i == 5) {
			t.Errorf("%+v of %s", r, name)
		}
	}
}

// run is "simdbloom sst".
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var c Command
	flags := flag.NewFlagSet("sst", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	c.AddTo(flags)
	err := flags.Parse(args)
	if err == nil {
		err = c.Check(flags.Args(), stdin)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return badArguments
	}
	return c.Run(flags.Args(), stdout, stderr)
}

const badArguments = 2

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "no file was given"},
		{"-json", 2, "no file was given"},
		{"-timestamp-bytes=-2 -key=a table.sst", 2, "must be at least 0, not -2"},
		{"-timestamp-bytes=0 table.sst", 2, "-timestamp-bytes need -key"},
		{"-long -key a table.sst", 2, "-long cannot be given with -key"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(strings.Fields(c.args), nil, &stdout, &stderr); status != c.status || stdout.Len() > 0 || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%q: status %d, %s", c.args, status, &stderr)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestOutputThatFails(t *testing.T) {
	for _, flags := range [][]string{nil, {"-long"}, {"-json"}, {"-verify"}} {
		var stderr bytes.Buffer
		if status := run(append(flags, storedTables(t)...), nil, failing{}, &stderr); status != 3 || !strings.Contains(stderr.String(), "full") {
			t.Errorf("status %d, %s", status, &stderr)
		}
	}
}
