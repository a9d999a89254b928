package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/simdbloom/simdbloom/filterset"
)

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCompressedLists: build and check take several of all kinds, in files and from the standard input.
func TestCompressedLists(t *testing.T) {
	folder := t.TempDir()
	w, _ := zstd.NewWriter(nil)
	writeFile(t, filepath.Join(folder, "a.gz"), gzipped(lines(0, 1000))+gzipped(lines(1000, 1000)))
	writeFile(t, filepath.Join(folder, "b.zst"), string(w.EncodeAll([]byte("\xef\xbb\xbf"+lines(2000, 1000)), nil)))
	writeFile(t, filepath.Join(folder, "c.txt"), "\xff\xfe3\x000\x000\x000\x00\n\x00")
	for _, how := range []string{"", "-file"} {
		must(t, folder, gzipped(lines(3001, 999)), "build -quiet -bits=20 "+how+" -o {}/set"+how+" {}/a.gz {}/b.zst {}/c.txt -")
		if got := must(t, folder, gzipped(lines(0, 4000)), "check {}/set"+how); got != lines(0, 4000) {
			t.Errorf("%d bytes", len(got))
		}
		if got := must(t, folder, "", "check -count {}/set"+how+" {}/a.gz {}/b.zst {}/c.txt"); got != "3001\n" {
			t.Error(got)
		}
	}
	writeFile(t, filepath.Join(folder, "rows.gz"), gzipped("\xef\xbb\xbfid,n\n7,\"x\"\n"))
	if got := must(t, folder, "", "check -csv=id {}/set {}/rows.gz"); got != "id,n\n7,\"x\"\n" {
		t.Errorf("%q", got)
	}
	writeFile(t, filepath.Join(folder, "binary.gz"), gzipped("\x00\x01\x00\x02"))
	must(t, folder, "", "build -quiet -bits=20 -size=2 -o {}/binary {}/binary.gz")
	if got := must(t, folder, "\x00\x02\x00\x03", "check -size=2 {}/binary"); got != "\x00\x02" {
		t.Errorf("%q", got)
	}
	must(t, folder, gzipped("a\x00\x00b\x00"), "build -quiet -bits=20 -0 -o {}/zeros")
	if got := must(t, folder, "a\x00c\x00\x00", "check -0 {}/zeros"); got != "a\x00\x00" {
		t.Errorf("%q", got)
	}
	text := gzipped("a\n")
	must(t, folder, text+"\n", "build -quiet -bits=20 -raw -o {}/bytes")
	if got := must(t, folder, text+"\n\nx", "check -raw {}/bytes"); got != text+"\n" {
		t.Errorf("%q", got)
	}
}

// TestDamagedLists are errors, after which there is no set, or the old one.
func TestDamagedLists(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, "old\n", "build -quiet -bits=20 -o {}/old")
	must(t, folder, "old\n", "build -quiet -bits=20 -file -o {}/old.filter")
	whole := gzipped(lines(0, 300_000))
	for name, c := range map[string]struct{ in, want string }{
		"cut":      {whole[:len(whole)-9], "cut short"},
		"trailer":  {whole[:len(whole)-1], "cut short"},
		"sum":      {whole[:len(whole)-8] + "wrong" + whole[len(whole)-3:], "damaged"},
		"second":   {whole + whole[:len(whole)/2], "cut short"},
		"parquet":  {"PAR1\x15\x04\x15", "-parquet=COLUMN"},
		"xz":       {"\xfd7zXZ\x00\x00\x04", "xz -dc FILE"},
		"zip":      {"PK\x03\x04\x14\x00", "unzip -p FILE"},
		"unmarked": {"a\x00b\x00\n\x00", "UTF-16"},
		"binary":   {"ab\x00\x00\x01", "zero bytes"},
	} {
		writeFile(t, filepath.Join(folder, name), c.in)
		before := names(t, folder)
		for _, args := range []string{
			"build -bits=20 -o {}/new {}/" + name, "build -bits=20 -o {}/old {}/" + name, "build -bits=20 -add -o {}/old {}/" + name,
			"build -bits=20 -memory=16MiB -o {}/new {}/" + name, "build -bits=20 -csv=1 -o {}/new {}/" + name,
			"build -bits=20 -file -o {}/new {}/" + name, "build -bits=20 -file -o {}/old.filter {}/" + name, "check -count {}/old {}/" + name,
		} {
			if status, out, stderr := call(t, folder, "", args); status != failed || !strings.Contains(stderr, c.want) || out != "" {
				t.Errorf("%s: status %d, %s%s", args, status, out, stderr)
			}
			if now := names(t, folder); now != before {
				t.Fatalf("%s: %s, and before %s", args, now, before)
			}
		}
	}
	for _, set := range []string{"old", "old.filter"} {
		if got := must(t, folder, "old\n0\n", "check {}/"+set); got != "old\n" {
			t.Error(got)
		}
	}
}

// TestDelimiters: columns of lists without a header, and with one.
func TestDelimiters(t *testing.T) {
	folder := t.TempDir()
	for name, c := range map[string]struct{ flags, in, want string }{
		"colon":         {"-csv=1 -delimiter=:", "AB:3\r\nCD:1\r\n:4\n", "AB CD"},
		"second":        {"-csv=2 -delimiter=:", "AB:\"x\nCD:y:z\n", "\"x y"},
		"semicolon":     {"-csv=2 -delimiter=;", "1;\"a;\"\"b\"\n2;c,d\n", "a;\"b c,d"},
		"tab":           {"-csv=2 -delimiter=tab", "1\t\"a\n2\tc\n", "\"a c"},
		"escaped tab":   {`-csv=2 -delimiter=\t`, "1\ta,b\n", "a,b"},
		"bar":           {"-csv=1 -delimiter=|", "a,b|\"x|y\"\n", "a,b"},
		"comma":         {"-csv=2 -delimiter=,", "a,b\n", "b"},
		"name":          {"-csv=hash -delimiter=:", "count:hash\n1:x\n", "x"},
		"name, in tabs": {"-csv=hash -delimiter=tab", "\xef\xbb\xbfhash\tcount\r\nx\t2\r\n", "x"},
	} {
		must(t, folder, c.in, "build -quiet -bits=30 "+c.flags+" -o {}/set")
		queries := strings.ReplaceAll(c.want, " ", "\n") + "\n"
		if got := must(t, folder, queries+"absent\nhash\n", "check {}/set"); got != queries {
			t.Errorf("%s: %q", name, got)
		}
		if got, want := must(t, folder, "", "info -json {}/set"), `"keys":`+string('0'+rune(strings.Count(queries, "\n"))); !strings.Contains(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestCase: -lower and -upper change keys of hexadecimal digits, in the set and in queries, and no others.
func TestCase(t *testing.T) {
	folder := t.TempDir()
	list := "DEADbeef:1\n0xAB:2\nAB-CD:3\nGH:4\n42:5\n\u00c4F:6\n"
	must(t, folder, list, "build -quiet -bits=30 -lower -csv=1 -delimiter=: -o {}/lower")
	must(t, folder, list, "build -quiet -bits=30 -upper -csv=1 -delimiter=: -o {}/upper")
	queries := "deadbeef\nDEADBEEF\nDEADbeef\n0xAB\n0xab\nAB-CD\nab-cd\nGH\ngh\n42\n\u00c4F\n\u00c4f\n"
	const others, all = "GH\n42\n\u00c4F\n", "deadbeef\nDEADBEEF\nDEADbeef\n0xAB\n0xab\nAB-CD\nab-cd\n"
	for args, want := range map[string]string{
		"check -lower=false {}/lower": "deadbeef\n0xab\nab-cd\n" + others,
		"check -upper=false {}/upper": "DEADBEEF\n0xAB\nAB-CD\n" + others,
		"check {}/lower":              all + others, // printed as they are
		"check {}/upper":              all + others,
		"check -upper {}/upper":       all + others,
		"check -upper {}/lower":       others,
	} {
		if got := must(t, folder, queries, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	must(t, folder, "AB\x00", "build -quiet -bits=30 -lower -0 -o {}/zeros")
	if got := must(t, folder, "aB\x00ab\x00abc\x00", "check -lower -0 {}/zeros"); got != "aB\x00ab\x00" {
		t.Errorf("%q", got)
	}
}

// TestPlacesOfErrors: they are in the whole list, of which the row is in a later chunk.
func TestPlacesOfErrors(t *testing.T) {
	rows := strings.Repeat("a long row, with two columns\n", 100_000)
	for _, before := range []string{"", "1,2\n", rows, rows + rows} {
		for _, text := range []string{before + "x\n" + rows, gzipped(before + "x\n" + rows)} {
			status, _, stderr := call(t, t.TempDir(), text, "build -bits=10 -csv=2 -o {}/x")
			if want := fmt.Sprintf("the row at byte %d: \"x\" has 1 column", len(before)); status != failed || !strings.Contains(stderr, want) {
				t.Errorf("status %d, %s, want %s", status, stderr, want)
			}
		}
	}
}

// TestRawCarriageReturns: with -raw, a carriage return before a newline is part of the key.
func TestRawCarriageReturns(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, "one\r\ntwo\n\r\n", "build -quiet -bits=40 -raw -o {}/set")
	if got := must(t, folder, "one\none\r\ntwo\ntwo\r\n\r\n\r", "check -raw {}/set"); got != "one\r\ntwo\n\r\n\r\n" {
		t.Errorf("%q", got)
	}
	if got := must(t, folder, "one\r\ntwo\r\n", "check {}/set"); got != "two\r\n" {
		t.Errorf("without -raw: %q", got)
	}
	set, err := filterset.Open(filepath.Join(folder, "set"))
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if !set.Contains([]byte("one\r")) || set.Contains([]byte("one")) {
		t.Error("the set does not have the key as it is")
	}
}
