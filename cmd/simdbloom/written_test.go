package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
)

type failingOutput struct{ err error }

func (f failingOutput) Write([]byte) (int, error) { return 0, f.err }

// TestWrittenAndNotRead: a command that has written what it cannot read or print afterwards says that it is there, and
// why it failed.
func TestWrittenAndNotRead(t *testing.T) {
	for _, c := range []struct {
		name, args, out string
		layers          int
		spoil           func(folder string) error
		cause           string
	}{
		{"a layer for a set with a damaged part", "build -add -o {}/set", "set", 2, cutPart, "bytes"},
		{"a layer for a set that lost a part", "build -add -json -o {}/set", "set", 2, removePart, filterset.PartFile(0)},
		{"a merge into a set with a damaged part", "merge -o {}/set {}/other", "set", 2, cutPart, "bytes"},
		{"a merge into a set that lost a part", "merge -quiet -o {}/set {}/other", "set", 2, removePart, filterset.PartFile(0)},
		{"a set whose facts cannot be printed", "build -json -bits=10 -o {}/set", "set", 1, nil, "the output is closed"},
		{"a file whose facts cannot be printed", "build -json -file -bits=10 -o {}/file", "file", 0, nil, "the output is closed"},
		{"a file that may only be written", "build -force -file -bits=10 -o {}/file", "file", 0, onlyWritten, "permission denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			must(t, folder, lines(0, 100), "build -quiet -bits=10 -o {}/set")
			must(t, folder, lines(100, 100), "build -quiet -bits=10 -o {}/other")
			must(t, folder, lines(0, 10), "build -quiet -file -bits=10 -o {}/file")
			if c.spoil != nil {
				if err := c.spoil(folder); err != nil {
					t.Skip(err)
				}
			}
			var problems strings.Builder
			s := &streams{strings.NewReader(lines(100, 200)), failingOutput{errors.New("the output is closed")}, &problems}
			args := strings.Fields(strings.ReplaceAll(c.args, "{}", folder))
			status, said := run(context.Background(), s, args), problems.String()
			if status != failed || !strings.Contains(said, filepath.Join(folder, c.out)+" is written") || !strings.Contains(said, c.cause) {
				t.Errorf("status %d: %s", status, said)
			}
			if c.layers > 0 {
				if set, ok := readManifest(filepath.Join(folder, "set", filterset.Manifest)); !ok || len(set.Layers) != c.layers {
					t.Errorf("%d layers", len(set.Layers))
				}
			} else if info, err := fileInfo(filepath.Join(folder, "file")); err == nil && info.Keys != 200 {
				t.Errorf("%d keys", info.Keys)
			}
		})
	}
}

// TestOutputThatFails: a command that could not print all says so, in its exit status, too. Nothing is said of a reader
// that has gone away.
func TestOutputThatFails(t *testing.T) {
	folder := t.TempDir()
	if err := errors.Join(writeRows(folder), writeSliced(folder), writeLacking(folder)); err != nil {
		t.Fatal(err)
	}
	must(t, folder, "a\n", "build -quiet -bits=10 -o {}/set")
	must(t, folder, "a\n", "build -quiet -bits=10 -file -o {}/file")
	must(t, folder, "", "parquet add -column=id -o {}/added {}/rows.parquet")
	for _, args := range []string{
		"info {}/set", "info -json {}/file", "info {}/sliced", "verify {}/set", "verify -json {}/file", "check {}/set", "check -count {}/set", "check -json {}/set",
		"which {}/set a", "which {}/sliced 1", "size -keys=10 -bits=10", "size -json -keys=10 -bits=10", "size -levels=10 -bytes=1", "size -json -levels=10 -bytes=1",
		"", "help build", "build -help", "man", "completion bash", "version", "sst {}/file", "sst -verify {}/file", "sst -key=a {}/file",
		"parquet {}/added", "parquet -json {}/added", "parquet -column=id -value=1 {}/added", "parquet -json -column=id -value=1 {}/added",
		"parquet verify {}/added", "parquet verify {}/lacking.parquet", "parquet verify {}/rows.parquet", "parquet add -column=id -o {}/new {}/rows.parquet",
	} {
		words := strings.Fields(strings.ReplaceAll(args, "{}", folder))
		for _, w := range []failingOutput{{errors.New("the output is closed")}, {syscall.EPIPE}} {
			var problems strings.Builder
			status := run(context.Background(), &streams{strings.NewReader("a\n"), w, &problems}, words)
			said := strings.Contains(problems.String(), w.err.Error())
			if gone := w.err == syscall.EPIPE && !strings.HasPrefix(args, "sst") && !strings.HasPrefix(args, "parquet"); status != failed || said == gone {
				t.Errorf("%s, %v: status %d, %s", args, w.err, status, &problems)
			}
		}
	}
}

func partsOf(folder string) string {
	parts, _ := filepath.Glob(filepath.Join(folder, "set", "layer-*", filterset.PartFile(0)))
	return parts[0]
}

func cutPart(folder string) error { return os.Truncate(partsOf(folder), 100) }

func removePart(folder string) error { return os.Remove(partsOf(folder)) }

// onlyWritten takes away the permission to read the file, if that stops this user.
func onlyWritten(folder string) error {
	name := filepath.Join(folder, "file")
	if err := os.Chmod(name, 0o200); err != nil {
		return err
	}
	if file, err := os.Open(name); err == nil {
		file.Close()
		return errors.New("this user reads every file")
	}
	return nil
}
