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

// goroot returns the directory of Go's own source tree.
func goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src"), nil
}

// distinctLines returns the distinct lines of all Go files below a directory, in
// the order in which they first appear.
func distinctLines(root string) ([][]byte, error) {
	seen := make(map[string]struct{}, 1<<21)
	var lines [][]byte
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) != ".go" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(data) {
			line = bytes.TrimRight(line, "\r\n")
			if _, again := seen[string(line)]; !again {
				seen[string(line)] = struct{}{}
				lines = append(lines, line)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(lines) < 1000 {
		return nil, fmt.Errorf("%d lines below %s: is Go's source tree installed?", len(lines), root)
	}
	return lines, nil
}
