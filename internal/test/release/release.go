package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const project = "github.com/simdbloom/simdbloom"

// release is a version of all modules that users get.
type release struct {
	clone   string
	version string
	now     time.Time
	modules []module                                                  // each behind those that it requires
	run     func(folder, name string, args ...string) (string, error) // command, except in tests
}

// module is a module that users get.
type module struct {
	folder   string // in the clone, with slashes; "." is the root module
	requires []requirement
	forbids  []string // lines that go install refuses: replacements and exclusions
}

// requirement is a module of the project that another one requires.
type requirement struct{ folder, version string }

var (
	versions = regexp.MustCompile(`^v[01]\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)
	newest   = regexp.MustCompile(`(?m)^## (v\S+)(?: — (.*))?$`)
	required = regexp.MustCompile(`(?m)^(?:require)?\s+` + regexp.QuoteMeta(project) + `(/\S+)? (v\S+)`)
	refused  = regexp.MustCompile(`(?m)^(?:replace|exclude) .*$`)
)

// newRelease reads the modules of a clone. An empty version is the changelog's newest.
func newRelease(clone, version string, now time.Time) (*release, error) {
	r := &release{clone: clone, version: version, now: now, run: command}
	entry := newest.FindStringSubmatch(r.read("CHANGELOG.md"))
	if version == "" && entry != nil {
		r.version = entry[1]
	}
	if !versions.MatchString(r.version) {
		return nil, fmt.Errorf("%q is no version such as v0.2.0; from v2 on, module paths end with it", r.version)
	}
	err := fs.WalkDir(os.DirFS(clone), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch base := entry.Name(); {
		case entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || name == "bench" || name == "internal"):
			return fs.SkipDir // nobody installs modules of bench and internal
		case base == "go.mod":
			r.modules = append(r.modules, parse(path.Dir(name), r.read(name)))
		}
		return nil
	})
	slices.SortStableFunc(r.modules, func(a, b module) int { return cmp.Compare(r.depth(a.folder), r.depth(b.folder)) })
	return r, err
}

func parse(folder, text string) module {
	m := module{folder: folder, forbids: refused.FindAllString(text, -1)}
	for _, line := range required.FindAllStringSubmatch(text, -1) {
		m.requires = append(m.requires, requirement{cmp.Or(strings.TrimPrefix(line[1], "/"), "."), line[2]})
	}
	return m
}

// depth is the length of the longest chain of requirements from a module.
func (r *release) depth(folder string) (depth int) {
	for _, m := range r.modules {
		if m.folder == folder {
			for _, one := range m.requires {
				depth = max(depth, 1+r.depth(one.folder))
			}
		}
	}
	return depth
}

// read returns a file of the clone, or nothing if it does not exist.
func (r *release) read(names ...string) string {
	data, err := os.ReadFile(filepath.Join(r.clone, filepath.FromSlash(path.Join(names...))))
	if err != nil {
		return ""
	}
	return string(data)
}

// change replaces a text in a file of the clone.
func (r *release) change(name, before, after string) error {
	return os.WriteFile(filepath.Join(r.clone, filepath.FromSlash(name)), []byte(strings.ReplaceAll(r.read(name), before, after)), 0o644)
}

// tag returns the name of a module's tag.
func (r *release) tag(m module) string { return path.Join(m.folder, r.version) }

// tags returns the tags that do not exist, in order. One at another commit is an error.
func (r *release) tags() (missing []string, err error) {
	head, err := r.run(r.clone, "git", "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	for _, m := range r.modules {
		name := r.tag(m)
		exists, err := r.run(r.clone, "git", "tag", "--list", name)
		if err != nil {
			return nil, err
		}
		if exists == "" {
			missing = append(missing, name)
			continue
		}
		at, err := r.run(r.clone, "git", "rev-parse", name+"^{commit}")
		if err != nil {
			return nil, err
		}
		if at != head {
			return nil, fmt.Errorf("tag %s is at %.8s, not at %.8s: a tag is never moved, so take the next version", name, at, head)
		}
	}
	return missing, nil
}

// byHand returns the steps that only a person can do, and the commands for the missing tags.
func (r *release) byHand(tags []string) (all []string) {
	if len(tags) > 0 {
		all = append(all, "on a clean clone of this commit, these must pass: .ci/run && make mutants",
			`on GitHub, "Private vulnerability reporting" must be on, for SECURITY.md`)
		lines := "tag this commit, the required modules first, because proxies remember that a module did not exist:\n"
		for _, tag := range tags {
			lines += fmt.Sprintf("\n       git tag -s -m %s %s && git push origin %[2]s", r.version, tag)
		}
		all = append(all, lines+"\n")
	}
	return append(all, "in an empty folder, this must work:\n\n       GOBIN=$PWD go install "+project+"/cmd/simdbloom@"+r.version)
}
