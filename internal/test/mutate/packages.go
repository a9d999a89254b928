package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// modules are those whose packages are taken if none is named. The copies in pebblev1 are generated.
var modules = []string{
	".", "table", "cmd/simdbloom", "adapters/goleveldb", "adapters/pebble", "adapters/parquet", "adapters/parquet/arrow",
	"adapters/parquet/parquetgo", "adapters/beam",
}

// leftOut are folders that are not taken unless they are named: kernels, which are compared with each other, code that
// users do not reach, and copies that a test holds equal to internal/replace and internal/thrift.
var leftOut = regexp.MustCompile(`^(asm|cpu|examples|fallback|fuzz|keyhash|internal/(aligned|gen|hashing|test)|adapters/parquet/internal/(replace|thrift))(/|$)`)

// testedBy are packages whose tests count for a package, after its own.
var testedBy = map[string][]string{
	".":                                     {"filterfile", "bloom"},
	"adapters/parquet/internal/footer":      {"adapters/parquet"},
	"adapters/parquet/internal/replace":     {"adapters/parquet"},
	"adapters/parquet/internal/thrift":      {"adapters/parquet", "adapters/parquet/internal/footer"},
	"cmd/simdbloom/internal/decode":         {"cmd/simdbloom"},
	"cmd/simdbloom/internal/keys":           {"cmd/simdbloom"},
	"cmd/simdbloom/internal/failures":       {"cmd/simdbloom"},
	"cmd/simdbloom/internal/figures":        {"cmd/simdbloom"},
	"cmd/simdbloom/internal/inspect":        {"cmd/simdbloom"},
	"cmd/simdbloom/internal/parquetfilters": {"cmd/simdbloom"},
	"cmd/simdbloom/internal/sst":            {"cmd/simdbloom"},
	"filterfile":                            {"ranges"},
	"filterset":                             {"ranges", "internal/test/powercut"},
	"internal/building":                     {".", "bloom", "paired", "legacy"},
	"internal/checked":                      {"filterfile", "filterset", "sliced"},
	"internal/classic":                      {"redisbloom", "dcso", "bitsandblooms"},
	"internal/cold":                         {"ranges"},
	"internal/formats":                      {".", "policy", "ranges", "internal/test/linked"},
	"internal/formats/blobloom":             {"blobloom", "internal/formats"},
	"internal/formats/contents":             {"bloom", "legacy", "policy"},
	"internal/formats/fastlocal":            {"bloom", "internal/formats"},
	"internal/formats/legacy":               {"legacy", "internal/formats"},
	"internal/formats/leveldb":              {"leveldb", "internal/formats"},
	"internal/formats/linear":               {"linear", "internal/formats"},
	"internal/formats/paired":               {"paired", "internal/formats"},
	"internal/formats/ribbon":               {"ribbon", "internal/formats"},
	"internal/formats/rocksdb":              {"bloom", "legacy", "policy"},
	"internal/formats/splitblock":           {"splitblock", "internal/formats"},
	"internal/geometry":                     {".", "linear", "paired"},
	"internal/hashlog":                      {"internal/building", "bloom"},
	"internal/mmap":                         {"filterfile"},
	"internal/pieces":                       {"internal/stored", "filterset"},
	"internal/rates":                        {"internal/formats/fastlocal", "bloom"},
	"internal/replace":                      {"filterfile", "filterset", "internal/test/powercut"},
	"internal/stored":                       {"filterfile", "."},
	"internal/thrift":                       {"splitblock"},
}

// pkg is a package and what became of its mutants.
type pkg struct {
	folder  string // in the clone, with slashes
	dir     string
	module  string // its folder
	files   []string
	tests   []string // folders of the packages whose tests are run, one after the other
	mutants []*mutant
}

// packagesIn returns the packages in the folders, or without any all of them.
func packagesIn(ctx context.Context, clone string, folders []string) (packages []*pkg, err error) {
	if len(folders) == 0 {
		for _, module := range modules {
			found, err := packagesOf(ctx, clone, filepath.Join(clone, module), "./...", leftOut)
			if err != nil {
				return nil, err
			}
			packages = append(packages, found...)
		}
		return packages, nil
	}
	for _, folder := range folders {
		found, err := packagesOf(ctx, clone, filepath.Join(clone, folder), ".", nil)
		if err != nil {
			return nil, err
		}
		packages = append(packages, found...)
	}
	return packages, nil
}

// packagesOf returns those packages of a pattern that have mutants, without some folders.
func packagesOf(ctx context.Context, clone, dir, pattern string, without *regexp.Regexp) (packages []*pkg, err error) {
	type listed struct {
		ImportPath, Dir                    string
		GoFiles, TestGoFiles, XTestGoFiles []string
		Module                             struct{ Dir string }
	}
	all, err := list[listed](ctx, dir, "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Module", pattern)
	if err != nil {
		return nil, err
	}
	for _, l := range all {
		folder, err := filepath.Rel(clone, l.Dir)
		if err != nil {
			return nil, err
		}
		if without != nil && without.MatchString(filepath.ToSlash(folder)) {
			continue
		}
		p := &pkg{folder: filepath.ToSlash(folder), dir: l.Dir, module: l.Module.Dir, files: l.GoFiles}
		if len(l.TestGoFiles)+len(l.XTestGoFiles) > 0 {
			p.tests = []string{p.folder}
		}
		p.tests = append(p.tests, testedBy[p.folder]...)
		for _, name := range p.files {
			source, err := os.ReadFile(filepath.Join(l.Dir, name))
			if err != nil {
				return nil, err
			}
			found, err := mutantsIn(path.Join(p.folder, name), source, nil)
			if err != nil {
				return nil, err
			}
			p.mutants = append(p.mutants, found...)
		}
		first(p.mutants)
		if len(p.mutants) > 0 && len(p.tests) == 0 {
			fmt.Fprintf(os.Stderr, "left out, as no package tests it: %s; testedBy needs a row\n", p.folder)
		} else if len(p.mutants) > 0 {
			packages = append(packages, p)
		}
	}
	return packages, nil
}

// list runs "go list" in a folder.
func list[T any](ctx context.Context, dir string, args ...string) (all []T, err error) {
	command := exec.CommandContext(ctx, "go", append([]string{"list"}, args...)...)
	command.Dir, command.Stderr = dir, os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w", dir, err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var one T
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
}

// inside reports whether a file or folder is in the clone.
func inside(clone, path string) bool {
	return path == clone || strings.HasPrefix(path, clone+string(filepath.Separator))
}
