package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/simdbloom/simdbloom/filterset"
)

// call runs the program, in which {} stands for the folder.
func call(t *testing.T, folder, stdin, args string) (status int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	words := strings.Fields(strings.ReplaceAll(args, "{}", folder))
	status = run(context.Background(), &streams{strings.NewReader(stdin), &out, &problems}, words)
	return status, out.String(), problems.String()
}

// must is call with exit status 0.
func must(t *testing.T, folder, stdin, args string) (stdout string) {
	t.Helper()
	status, stdout, stderr := call(t, folder, stdin, args)
	if status != 0 {
		t.Fatalf("%s: status %d\n%s%s", args, status, stdout, stderr)
	}
	return stdout
}

// lines returns n lines with numbers.
func lines(from, n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintln(&text, from+i)
	}
	return text.String()
}

// TestSets: every format, as a set and as a file: what was added is found, in its order, and what is printed with -v
// was not added.
func TestSets(t *testing.T) {
	for i, format := range append(formatNames(), "speedb.PairedBloomFilter", "rocksdb.BloomFilter") {
		for _, how := range [][]string{{"", "-file -distinct"}, {"-file", "-distinct"}}[i%2] {
			folder, repeated := t.TempDir(), ""
			if strings.Contains(how, "-distinct") {
				repeated = lines(1000, 2000)
			}
			must(t, folder, lines(0, 3000)+repeated, "build -quiet -fpr=0.001 -format="+format+" "+how+" -o {}/set")
			if got := must(t, folder, lines(0, 3000), "check {}/set"); got != lines(0, 3000) {
				t.Errorf("%s %s: %d bytes", format, how, len(got))
			}
			absent := must(t, folder, lines(1000, 22_000), "check -v {}/set")
			count := strings.Count(absent, "\n")
			if !strings.HasPrefix(absent, "30") || strings.Contains(absent, "\n2999\n") || count < 19_800 {
				t.Errorf("%s %s: %d absent keys", format, how, count)
			}
			if got := must(t, folder, lines(1000, 22_000), "check -count -v {}/set"); got != fmt.Sprintln(count) {
				t.Errorf("%s %s: %s, not %d", format, how, got, count)
			}
			var f facts
			if err := json.Unmarshal([]byte(must(t, folder, "", "info -json -estimate {}/set")), &f); err != nil || f.Keys != 3000 ||
				f.PredictedFPR > 0.001 || f.EstimatedFPR == nil || *f.EstimatedFPR > 0.0015 {
				t.Errorf("%s %s: %+v, %v", format, how, f, err)
			}
			must(t, folder, "", "verify {}/set")
		}
	}
}

// TestInputs: keys of all kinds.
func TestInputs(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.csv", "id,name\n1,\"x,y\"\n2,z\n")
	write("b.csv", "name,id\nz,3\n")
	must(t, folder, "", "build -quiet -bits=20 -csv=id -o {}/ids {}/a.csv {}/b.csv")
	if got := must(t, folder, "1\n2\n3\nid\n4\n", "check {}/ids"); got != "1\n2\n3\n" {
		t.Errorf("%q", got)
	}
	if got := must(t, folder, "", "check -csv=id {}/ids {}/b.csv"); got != "name,id\nz,3\n" {
		t.Errorf("%q", got)
	}
	must(t, folder, "x,y\x00\x00", "build -quiet -0 -bits=20 -file -o {}/names")
	if got := must(t, folder, "1,\"x,y\"\n2,z\n", "check -csv=2 {}/names"); got != "1,\"x,y\"\n" {
		t.Errorf("%q", got)
	}
	if got := must(t, folder, "x,y", "check {}/names"); got != "x,y\n" { // without a newline at its end
		t.Errorf("%q", got)
	}
	must(t, folder, "aabbcc", "build -quiet -size=2 -bits=20 -o {}/binary")
	if got := must(t, folder, "ccxxaa", "check {}/binary -size 2"); got != "ccaa" {
		t.Errorf("%q", got)
	}
	type row struct {
		ID   int64  `parquet:"id"`
		Name string `parquet:"name"`
	}
	if err := parquetgo.WriteFile(filepath.Join(folder, "p"), []row{{1, "pear"}, {2, "fig"}, {3, "plum"}}, parquetgo.MaxRowsPerRowGroup(2)); err != nil {
		t.Fatal(err)
	}
	must(t, folder, "", "build -quiet -parquet=name -bits=20 -o {}/fruit {}/p")
	if got := must(t, folder, "fig\napple\nplum\n", "check {}/fruit"); got != "fig\nplum\n" {
		t.Errorf("%q", got)
	}
	must(t, folder, "", "build -quiet -parquet=id -bits=20 -o {}/numbers {}/p")
	if got := must(t, folder, "\x07\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00", "check -size=8 {}/numbers"); got[0] != 3 {
		t.Errorf("%q", got)
	}
	if got := must(t, folder, "", "parquet {}/p"); !strings.Contains(got, "name") {
		t.Error(got)
	}
	must(t, folder, "", "build -quiet -bits=10 -allow-empty -o {}/empty")
	if status, out, _ := call(t, folder, "a\n", "check {}/empty"); status != notFound || out != "" {
		t.Error(status, out)
	}
}

func TestMergeAndAdd(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, lines(0, 10), "build -quiet -bits=20 -o {}/a")
	must(t, folder, lines(10, 10), "build -quiet -bits=20 -o {}/b")
	must(t, folder, "", "merge -quiet -o {}/c {}/a {}/b")
	must(t, folder, lines(20, 10), "build -quiet -add -bits=20 -o {}/c")
	if got := must(t, folder, lines(0, 30), "check {}/c"); got != lines(0, 30) {
		t.Error(got)
	}
	if got := must(t, folder, lines(5, 30), "check -json {}/c"); got != "{\"keys\":30,\"may_contain\":25}\n" {
		t.Error(got)
	}
	must(t, folder, lines(0, 5), "build -quiet -bits=20 -o {}/c") // replaces it
	if got := must(t, folder, lines(0, 30), "check {}/c"); got != lines(0, 5) {
		t.Error(got)
	}
}

// TestLayersAreAlike: without arguments about them, a layer has the format and the bits per key of the layer before it.
func TestLayersAreAlike(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, lines(0, 1000), "build -quiet -format=ribbon -bits=20 -o {}/a")
	must(t, folder, lines(1000, 1000), "build -quiet -add -bits=12 -o {}/a")
	must(t, folder, lines(2000, 1000), "build -quiet -add -o {}/a")
	if got := must(t, folder, lines(0, 3000), "check {}/a"); got != lines(0, 3000) {
		t.Error(got)
	}
	var set filterset.Info
	if text, err := os.ReadFile(filepath.Join(folder, "a", filterset.Manifest)); err != nil || set.UnmarshalText(text) != nil {
		t.Fatal(err)
	}
	if l := set.Layers; set.Format != "simdbloom.Ribbon.XX64" || len(l) != 3 || l[0].BitsPerKey != 20 || l[2].BitsPerKey != 12 {
		t.Error(set)
	}
}

// TestStatus has wrong arguments and other errors: what to do is said, and nothing is left behind.
func TestStatus(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, "a\n", "build -quiet -bits=10 -o {}/set")
	must(t, folder, "a\n", "build -quiet -bits=10 -file -o {}/file")
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"biuld", badArguments, "(did you mean build?)"},
		{"chekc x", badArguments, "(did you mean check?)"},
		{"help siz", badArguments, "(did you mean size?)"},
		{"build -o {}/x -bit=10", badArguments, "no flag -bit (did you mean -bits?)"},
		{"check --count-v {}/set", badArguments, "no flag -count-v (did you mean -count?)"},
		{"build -o {}/x -bits=10 -format=FastLocl", badArguments, "(did you mean fastlocal?)"},
		{"build -o {}/x -bits=10 -format=splitblok", badArguments, "(did you mean splitblock?)"},
		{"build", badArguments, "missing -o: the set to write"},
		{"build -o {}/x", badArguments, "give either -fpr or -bits"},
		{"build -o {}/x -bits=10 -fpr=0.1", badArguments, "give either"},
		{"build -o {}/x -fpr=1e-30", badArguments, "no format can have the rate 1e-30"},
		{"build -o {}/x -fpr=1e-7 -format=splitblock -keys=1e9", badArguments, "simdbloom size"},
		{"build -o {}/x -bits=10 -format=rocksdb.internal.LegacyBloomFilter", badArguments, "64 bits"},
		{"build -o {}/x -bits=10 -delimiter=:", badArguments, "-csv=1 is the first column"},
		{"build -o {}/x -bits=10 -csv=1 -delimiter=\"", badArguments, "one ASCII character"},
		{"build -o {}/x -bits=10 -lower -upper", badArguments, "exclude each other"},
		{"check -lower -size=2 {}/set", badArguments, "are for text"},
		{"build -o {}/x -bits=10 -raw -parquet=a {}/file", badArguments, "-raw"},
		{"build -o {}/x -bits=10 -lower -parquet=a {}/file", badArguments, "-lower"},
		{"build -o {}/x -bits=10 -csv=0", badArguments, "numbered from 1"},
		{"build -o {}/x -bits=10 -memory=1XB", badArguments, "not a number"},
		{"build -o {}/x -bits=10 -parquet=a", badArguments, "needs files"},
		{"build -o {}/x -bits=10 {}/nothing", failed, "nothing: "},
		{"build -o {}/x -bits=10 -csv=b -raw {}/file", failed, "no column"},
		{"build -o {}/x -bits=10 -size=1000 -raw {}/file", failed, "-size is 1000, and the rest"},
		{"check", badArguments, "name a set"},
		{"check {}/nothing", failed, "nothing: "},
		{"check {}", failed, "no set"},
		{"info {}/set/set.manifest", failed, "simdbloom sst"},
		{"build -o {}/file/x -bits=10", failed, "x"},
		{"build -o {}/file/x -bits=10 -file", badArguments, "file is not a folder"},
		{"merge -o {}/file/x {}/set", failed, "x"},
		{"build -bits=10 -o {}/x -files-from={}", failed, "-files-from="},
		{"build -bits=10 -o {}/x -files-from={}/file {}/file", failed, "file"},
		{"merge -o {}/x {}", failed, "set.manifest"},
		{"merge -o {}/set {}/set", failed, "with itself"},
		{"size", badArguments, "give -keys"},
		{"size -keys=0 -bits=10", badArguments, "at least 1"},
		{"build -o {}/x -bits=ten", badArguments, "not a number"},
		{"size -keys=10", badArguments, "one of -fpr"},
		{"size -levels=10 -fpr=0.1", badArguments, "with -levels"},
		{"build -o {}/set -bits=10 -file", badArguments, "is a folder"},
		{"sst", badArguments, "no file was given"},
		{"sst {}/file -key a", 0, ""},
		{"sst {}/file -key x", notFound, ""},
		{"parquet", badArguments, "no file was given"},
		{"parquet {}/file", failed, "could not be printed"},
	} {
		status, stdout, stderr := call(t, folder, "x\n", c.args)
		if status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, want %d\n%s%s", c.args, status, c.status, stdout, stderr)
		}
		if left, err := os.ReadDir(filepath.Join(folder, "x")); len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", c.args, left, err)
		}
	}
}

// TestInterrupted: while the input waits, Ctrl-C ends commands, and leaves the old set.
func TestInterrupted(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, lines(0, 10), "build -quiet -bits=10 -o {}/set")
	if err := writeRows(folder); err != nil {
		t.Fatal(err)
	}
	before := names(t, folder)
	for _, args := range []string{"build -bits=10 -o {}/set", "build -file -bits=10 -o {}/file", "check {}/set", "sst -keys - {}/file"} {
		r, w := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(100*time.Millisecond, cancel)
		go w.Write([]byte(lines(0, 100_000))) // and no end
		var out, problems bytes.Buffer
		status := run(ctx, &streams{r, &out, &problems}, strings.Fields(strings.ReplaceAll(args, "{}", folder)))
		if status != interrupted || !strings.Contains(problems.String(), "interrupted") {
			t.Errorf("%s: status %d, %s", args, status, &problems)
		}
		if now := names(t, folder); now != before {
			t.Errorf("%s: %s, and before %s", args, now, before)
		}
		r.Close()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range []string{
		"size -keys=10 -bits=10", "size -levels=10 -bits=10", "check {}/set", "verify {}/set", "verify -json {}/set",
		"build -bits=10 -parquet=id -o {}/set {}/rows.parquet", "build -bits=10 -allow-empty -o {}/set", "build -bits=10 -allow-empty -file -o {}/file",
	} {
		var out, problems bytes.Buffer
		status := run(ctx, &streams{strings.NewReader(""), &out, &problems}, strings.Fields(strings.ReplaceAll(args, "{}", folder)))
		if said := "simdbloom " + strings.Fields(args)[0] + ": interrupted"; status != interrupted || !strings.HasPrefix(problems.String(), said) || strings.Contains(problems.String(), "nothing was changed") != strings.HasPrefix(args, "build") || out.Len() > 0 || names(t, folder) != before {
			t.Errorf("%s, interrupted at once: status %d, %s%s", args, status, &problems, &out)
		}
	}
	s, err := filterset.Open(filepath.Join(folder, "set"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Info().Keys() != 10 {
		t.Error(s.Info().Keys())
	}
}

// names returns the names of all files.
func names(t *testing.T, folder string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

// TestTexts: every command and flag is in help, in the manual and in the completions, which shells can read.
func TestTexts(t *testing.T) {
	texts := map[string]string{"man": must(t, "", "", "man")}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		texts[shell] = must(t, "", "", "completion "+shell)
	}
	help := must(t, "", "", "help")
	for _, c := range commands() {
		if !strings.Contains(help, "  "+c.name+" ") {
			t.Errorf("help lacks %s", c.name)
		}
		if text := must(t, "", "", "help "+c.name); !strings.Contains(text, c.brief) {
			t.Error(text)
		}
		for name, text := range texts {
			if !strings.Contains(text, c.name) {
				t.Errorf("%s lacks %s", name, c.name)
			}
		}
	}
	if !strings.Contains(texts["man"], `\fB\-fpr\fR \fIrate\fR`) || !strings.Contains(texts["fish"], "-o fpr -d") ||
		!strings.Contains(texts["zsh"], "'-fpr[") || !strings.Contains(texts["bash"], "-fpr") {
		t.Error("no -fpr")
	}
	for shell := range texts {
		path, err := exec.LookPath(shell)
		if err != nil || shell == "man" {
			continue
		}
		command := exec.Command(path, "-n")
		command.Stdin = strings.NewReader(texts[shell])
		if output, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, output)
		}
	}
	if got := must(t, "", "", "version"); !strings.HasPrefix(got, "simdbloom ") {
		t.Error(got)
	}
}
