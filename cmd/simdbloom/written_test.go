package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterset"
)

type closedOutput struct{}

func (closedOutput) Write([]byte) (int, error) { return 0, errors.New("the output is closed") }

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
			s := &streams{strings.NewReader(lines(100, 200)), closedOutput{}, &problems}
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
