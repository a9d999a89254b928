package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// lineSet collects distinct lines in the order in which they first appear.
type lineSet struct {
	seen  map[string]struct{}
	lines [][]byte
}

// add adds the lines of a file, without what ends them.
func (s *lineSet) add(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if _, again := s.seen[string(line)]; !again {
			s.seen[string(line)] = struct{}{}
			s.lines = append(s.lines, line)
		}
	}
	return nil
}

// fileLines returns the distinct lines of a file.
func fileLines(path string) ([][]byte, error) {
	s := lineSet{seen: make(map[string]struct{})}
	if err := s.add(path); err != nil {
		return nil, err
	}
	if len(s.lines) == 0 {
		return nil, fmt.Errorf("%s has no lines", path)
	}
	return s.lines, nil
}

// goSource returns the directory of Go's own source tree.
func goSource() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src"), nil
}

// treeLines returns the distinct lines of all Go files below a directory.
func treeLines(root string) ([][]byte, error) {
	s := lineSet{seen: make(map[string]struct{}, 1<<21)}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) != ".go" {
			return err
		}
		return s.add(path)
	})
	if err != nil {
		return nil, err
	}
	if len(s.lines) < 1000 {
		return nil, fmt.Errorf("%d lines below %s: is Go's source tree installed?", len(s.lines), root)
	}
	return s.lines, nil
}
