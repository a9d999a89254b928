package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

var update = flag.Bool("update", false, "write what commands print into testdata/session.txt again")

var (
	took    = regexp.MustCompile(`( in )\d[\d.]*(?:µ|m)?s\b|("seconds":)[\d.e-]+`)
	printed = regexp.MustCompile(`^(?:printf '([^']*)' (?:\| |> (\S+)$))?(?:simdbloom ?(.*?)(?: \| grep '(.*)')?$)?`)
)

// session runs the commands of a file in testdata in one folder, which has filters of other programs, and compares what
// they print with the lines behind them: the standard output, the standard error, and the exit status unless it is 0.
func session(t *testing.T, name string, prepare ...func(folder string) error) {
	t.Helper()
	golden, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"dcso/testdata/multiply.bloom", "redisbloom/testdata/narrow.dump", "redisbloom/testdata/empty.dump", "table/testdata/ribbon.sst"} {
		data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(folder, filepath.Base(name)), string(data))
	}
	for _, prepare := range prepare {
		if err := prepare(folder); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it closes files, too
	steps := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n$ ")
	for i, step := range steps[1:] {
		command, want, _ := strings.Cut(step, "\n")
		open, before := openFiles(), names(t, folder)
		got := printedBy(t, command)
		if refused := strings.HasSuffix(got, "exit status 2") || strings.HasSuffix(got, "exit status 3"); refused && names(t, folder) != before {
			t.Errorf("$ %s\nleaves %s", command, names(t, folder))
		}
		for range 100 { // some are closed by goroutines
			if openFiles() > open {
				time.Sleep(time.Millisecond)
			}
		}
		if openFiles() > open {
			t.Errorf("$ %s\nleaves files open", command)
		}
		if filepath.ToSlash(got) != filepath.ToSlash(strings.TrimSuffix(want, "\n")) && !*update {
			t.Errorf("$ %s\n%s\nwant\n%s", command, got, want)
		}
		steps[1+i] = strings.TrimSuffix(command+"\n"+got, "\n") + "\n"
	}
	if *update {
		writeFile(t, golden, strings.Join(steps, "\n$ "))
	}
}

func TestSizes(t *testing.T) { session(t, "sizes.txt") }

func TestBuilt(t *testing.T) { session(t, "built.txt") }

func TestNotes(t *testing.T) { session(t, "notes.txt") }

func TestChecked(t *testing.T) { session(t, "checked.txt") }

func TestDescribed(t *testing.T) { session(t, "described.txt", writeSliced, writeLater) }

func TestParquet(t *testing.T) { session(t, "parquet.txt", writeRows, writeLacking) }

func TestRefused(t *testing.T) { session(t, "refused.txt", writeSliced) }

func TestHelp(t *testing.T) { session(t, "help.txt") }

// openFiles returns how many files are open, as far as the system tells.
func openFiles() int {
	open, _ := os.ReadDir("/proc/self/fd")
	return len(open)
}

// writeSliced writes sliced filters of a key each.
func writeSliced(folder string) error {
	filters := sliced.New(keyhash.XX64)
	for i := range 1001 {
		b, err := bloom.NewBuilder(30, keyhash.XX64, simdbloom.WithSizeBytes(133))
		if err != nil {
			return err
		}
		b.AddString(strconv.Itoa(i))
		f, err := b.Filter()
		if err == nil {
			_, err = filters.Append(f)
		}
		if err != nil {
			return err
		}
	}
	return filters.WriteFile(filepath.Join(folder, "sliced"))
}

// writeLater writes a filter file of an unknown format, and one whose number of keys is unknown.
func writeLater(folder string) error {
	for name, format := range map[string]string{"later": "simdbloom.Later.XX64", "unknown": "simdbloom.SplitBlock.XX64"} {
		f, err := stored.New(format, make([]byte, 64), stored.PieceBytes)
		if err != nil {
			return err
		}
		if f.BitsPerKey = 10; name == "later" {
			f.Keys = 5
		}
		if err := os.WriteFile(filepath.Join(folder, name), f.AppendTo(nil), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// writeRows writes rows of the ids 0 to 6, in row groups of three, and a file without rows.
func writeRows(folder string) error {
	type row struct {
		ID   int64  `parquet:"id"`
		Name string `parquet:"name,optional"`
	}
	var rows []row
	for i := range 7 {
		rows = append(rows, row{int64(i), strings.Repeat("x", i/6)})
	}
	err := parquetgo.WriteFile(filepath.Join(folder, "none.parquet"), rows[:0])
	return errors.Join(err, parquetgo.WriteFile(filepath.Join(folder, "rows.parquet"), rows, parquetgo.MaxRowsPerRowGroup(3)))
}

// writeLacking writes values of a full dictionary, after which filters of parquet-go lack some.
func writeLacking(folder string) error {
	type row struct {
		ID int64 `parquet:"id,dict"`
	}
	rows := make([]row, 1000)
	for i := range rows {
		rows[i].ID = int64(i) * 0x123456789abcd
	}
	return parquetgo.WriteFile(filepath.Join(folder, "lacking.parquet"), rows, parquetgo.DictionaryMaxBytes(1000), parquetgo.PageBufferSize(1000),
		parquetgo.BloomFilters(parquetgo.SplitBlockFilter(10, "id")))
}

// printedBy runs a command of this program with a text as its standard input, or writes the text to a file.
func printedBy(t *testing.T, command string) string {
	t.Helper()
	parts := printed.FindStringSubmatch(command)
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(parts[1], `"`, `\"`) + `"`)
	if err != nil || parts[0] != command {
		t.Fatalf("%s: %v", command, err)
	}
	if parts[2] != "" {
		writeFile(t, parts[2], text)
		return ""
	}
	status, stdout, stderr := call(t, "", text, parts[3])
	var out strings.Builder
	for line := range strings.Lines(stdout) {
		if strings.Contains(line, parts[4]) {
			out.WriteString(line)
		}
	}
	out.WriteString(stderr)
	if status != 0 {
		out.WriteString("exit status " + strconv.Itoa(status))
	}
	return strings.TrimSuffix(took.ReplaceAllString(out.String(), "${1}${2}T"), "\n")
}
