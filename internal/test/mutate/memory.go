package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A package's results are remembered in a file of lines of JSON. The first has hashes of what the results depend on,
// the others have one result each, in the order of the runs.

// origin is what results depend on.
type origin struct{ Files, Around string }

// remembered is a mutant's result.
type remembered struct {
	Mutant string
	Result result
}

// recall takes the results that still hold from the package's file, and opens it for more.
func (r *runner) recall(ctx context.Context, p *pkg) (_ *os.File, err error) {
	now, err := r.origin(ctx, p)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(r.memory, filepath.FromSlash(p.folder), "results.jsonl")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, err
	}
	if !r.again {
		if err := recallFrom(name, now, p.mutants, r.long || r.retry); err != nil {
			return nil, err
		}
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	err = json.NewEncoder(file).Encode(now)
	for _, m := range p.mutants {
		if m.result != "" && err == nil {
			err = remember(file, m)
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// recallFrom reads the results of a file. All hold if nothing has changed. If only tests or dependencies have, or
// retry is true, survivors are run again, and the other results stay.
func recallFrom(name string, now origin, mutants []*mutant, retry bool) (err error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	var then origin
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &then) != nil || then.Files != now.Files {
		return lines.Err()
	}
	results := map[string]result{}
	for lines.Scan() {
		var one remembered
		if json.Unmarshal(lines.Bytes(), &one) != nil {
			break // the end of an interrupted run
		}
		if then.Around == now.Around && !retry || one.Result != survived {
			results[one.Mutant] = one.Result
		}
	}
	for _, m := range mutants {
		m.result = results[m.id]
	}
	return lines.Err()
}

// remember adds a result to the open file of its package.
func remember(file *os.File, m *mutant) error {
	return json.NewEncoder(file).Encode(remembered{Mutant: m.id, Result: m.result})
}

// origin returns the hashes of the package's files, and of all Go files of the clone that its tests are compiled from.
func (r *runner) origin(ctx context.Context, p *pkg) (origin, error) {
	own := make([]string, len(p.files))
	for i, name := range p.files {
		own[i] = filepath.Join(p.dir, name)
	}
	var around []string
	for _, tests := range p.tests {
		type listed struct {
			Dir             string
			GoFiles, SFiles []string
		}
		all, err := list[listed](ctx, filepath.Join(r.clone, filepath.FromSlash(tests)), "-deps", "-test", "-json=Dir,GoFiles,SFiles", ".")
		if err != nil {
			return origin{}, err
		}
		for _, l := range all {
			for _, name := range slices.Concat(l.GoFiles, l.SFiles) {
				if inside(r.clone, l.Dir) && !filepath.IsAbs(name) {
					around = append(around, filepath.Join(l.Dir, name))
				}
			}
		}
	}
	slices.Sort(around)
	files, err := hashOf(r.clone, own)
	if err != nil {
		return origin{}, err
	}
	everything, err := hashOf(r.clone, slices.Compact(around))
	return origin{Files: files, Around: everything}, err
}

// hashOf returns a hash of files' names and contents, of Go files without comments.
func hashOf(clone string, names []string) (string, error) {
	sum := sha256.New()
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if filepath.Ext(name) == ".go" {
			content = withoutComments(content)
		}
		short, err := filepath.Rel(clone, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n%s", filepath.ToSlash(short), len(content), content)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// withoutComments returns a file's tokens, and comments that have a meaning.
func withoutComments(source []byte) (tokens []byte) {
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", -1, len(source)), source, nil, scanner.ScanComments)
	for {
		_, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return tokens
		case kind == token.COMMENT && !strings.HasPrefix(text, "//go:"):
		case text == "" || text == "\n":
			tokens = append(append(tokens, kind.String()...), ' ')
		default:
			tokens = append(append(tokens, text...), ' ')
		}
	}
}

// filesIn returns the files below a folder.
func filesIn(folder string) (map[string]bool, error) {
	files := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[path] = true
		}
		return err
	})
	return files, err
}

// removeOthers removes all files of a folder but those.
func removeOthers(folder string, those map[string]bool) error {
	now, err := filesIn(folder)
	for name := range now {
		if !those[name] {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}
