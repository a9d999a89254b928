package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
)

// TestWhich finds the filter files, of any format, and the sets of a folder that may contain keys.
func TestWhich(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "in", "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	must(t, folder, "fig\npear\n", "build -quiet -file -bits=30 -o {}/in/a")
	must(t, folder, "pear\nplum\n", "build -quiet -file -format=fastlocal -bits=30 -o {}/in/below/b")
	must(t, folder, "pear\nkiwi\n", "build -quiet -bits=30 -o {}/in/set")
	os.WriteFile(filepath.Join(folder, "in", "text"), []byte("pear\n"), 0o600)
	for _, c := range []struct {
		args, want string
		status     int
	}{
		{"{}/in fig", "a\n", 0},
		{"{}/in pear", "a\nbelow/b\nset\n", 0},
		{"{}/in kiwi plum", "plum\tbelow/b\nkiwi\tset\n", 0},
		{"{}/in cherry", "", notFound},
		{"{}/in/below/b plum", "below/b\n", 0},
	} {
		status, stdout, stderr := call(t, folder, "", "which "+c.args)
		if got := strings.ReplaceAll(stdout, folder+"/in/", ""); got != c.want || status != c.status || stderr != "" {
			t.Errorf("which %s: status %d, %q, want %q; %s", c.args, status, got, c.want, stderr)
		}
	}
	data, err := os.ReadFile(filepath.Join(folder, "in", "a"))
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(data)
	changed[len(changed)-10] ^= 1
	os.WriteFile(filepath.Join(folder, "in", "a"), changed, 0o600)
	if status, stdout, stderr := call(t, folder, "", "which {}/in fig pear"); status != failed || !strings.Contains(stdout, "below/b") || !strings.Contains(stderr, "/a: ") || strings.Contains(stderr, "filterfile") {
		t.Errorf("a damaged filter: status %d, %s%s", status, stdout, stderr)
	}
	os.WriteFile(filepath.Join(folder, "in", "a"), data[:len(data)-1], 0o600)
	for args, want := range map[string]int{
		"{}/in pear": failed, "{}/in/text pear": failed, "{}/none pear": failed, "{}/in": badArguments, "": badArguments,
	} {
		if status, stdout, stderr := call(t, folder, "", "which "+args); status != want || stderr == "" {
			t.Errorf("which %s: status %d, want %d: %s%s", args, status, want, stdout, stderr)
		}
	}
}

// TestWhichCannotRead: a folder that is not there, a set without its manifest's text, and a piece of a filter that is
// read when a key is looked up, are errors.
func TestWhichCannotRead(t *testing.T) {
	folder := t.TempDir()
	must(t, folder, "pear\n", "build -quiet -bits=30 -o {}/in/set")
	must(t, folder, lines(0, 50_000), "build -quiet -file -bits=30 -o {}/large")
	path := filepath.Join(folder, "large")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 4096; at < len(data)/3; at += 4096 { // Open reads the last piece
		data[at] ^= 1
	}
	if err := errors.Join(os.WriteFile(path, data, 0o600), os.WriteFile(filepath.Join(folder, "in", "set", filterset.Manifest), []byte("nothing"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{"{}/in pear": filepath.Join("in", "set"), "{}/none pear": "none: ", "{}/large 1 2 3 4 5 6": "large: "} {
		if status, _, stderr := call(t, folder, "", "which "+args); status != failed || !strings.Contains(filepath.FromSlash(stderr), want) || strings.Contains(stderr, "no filter file and no set") {
			t.Errorf("which %s: status %d, %s", args, status, stderr)
		}
	}
}

// TestDamagedSlicedFilters are errors of every command that reads them.
func TestDamagedSlicedFilters(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "all")
	if err := errors.Join(writeSliced(folder), os.Rename(filepath.Join(folder, "sliced"), path)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-300] ^= 1
	os.WriteFile(path, data, 0o600)
	if status, _, stderr := call(t, folder, "", "which {}/all 7"); status != failed || !strings.Contains(stderr, "corrupt") {
		t.Errorf("which: status %d: %s", status, stderr)
	}
	if status, _, stderr := call(t, folder, "", "verify {}/all"); status != notFound || !strings.Contains(stderr, "CORRUPT: piece") {
		t.Errorf("verify: status %d: %s", status, stderr)
	}
	os.WriteFile(path, data[:len(data)-1], 0o600)
	for _, command := range []string{"info {}/all", "which {}/all 7", "verify {}/all"} {
		if status, _, stderr := call(t, folder, "", command); status == 0 || !strings.Contains(stderr, "/all: ") || strings.Contains(stderr, "sliced:") {
			t.Errorf("%s of a file that is cut short: status %d: %s", command, status, stderr)
		}
	}
}
