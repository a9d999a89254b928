package main

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// step is a part of the release that a program can verify.
type step struct {
	what   string
	always bool                     // it holds for every commit, not only for one that is tagged
	left   func() ([]string, error) // things to change
	write  func() error             // makes it so; nil if that needs a decision
}

const (
	dateFormat  = "2006-01-02"
	oldestDate  = 7 * 24 * time.Hour // what runs before the tags may take days
	unreleased  = "Before the first release, use a clone: instead of"
	sinceTagged = "With a clone, instead of"
)

func (r *release) steps() []step {
	return []step{
		{"go.mod of each module requires " + r.version + " of the others", true, r.requirements, r.require},
		{"go.mod of each module replaces and excludes nothing, which go install refuses", true, r.replacements, nil},
		{"CHANGELOG.md has the version at its top", true, r.entry, nil},
		{"CHANGELOG.md has a date of this week", false, r.date, r.setDate},
		{"README.md does not speak of a first release that is to come", false, r.readme, func() error {
			return r.change("README.md", unreleased, sinceTagged)
		}},
		{r.api() + " is the recorded API, in the Makefile and in tests", true, r.listing, r.list},
		{r.golden() + " has what later versions must read", true, r.stored, func() error {
			_, err := r.run(r.clone, "make", "golden", "VERSION="+r.version)
			return err
		}},
		{"everything is committed", false, r.uncommitted, nil},
	}
}

func (r *release) requirements() (left []string, err error) {
	for _, m := range r.modules {
		for _, one := range m.requires {
			if one.version != r.version {
				left = append(left, fmt.Sprintf("%s/go.mod: %s %s", m.folder, path.Join(project, one.folder), one.version))
			}
		}
	}
	return left, nil
}

func (r *release) require() error {
	for i, m := range r.modules {
		for j, one := range m.requires {
			_, err := r.run(filepath.Join(r.clone, filepath.FromSlash(m.folder)), "go", "mod", "edit", "-require="+path.Join(project, one.folder)+"@"+r.version)
			if err != nil {
				return err
			}
			r.modules[i].requires[j].version = r.version
		}
	}
	_, err := r.run(r.clone, "make", "tidy")
	return err
}

func (r *release) replacements() (left []string, err error) {
	for _, m := range r.modules {
		for _, line := range m.forbids {
			left = append(left, path.Join(m.folder, "go.mod")+": "+line)
		}
	}
	return left, nil
}

// heading returns the newest heading of the changelog: the whole line, the version, the date.
func (r *release) heading() []string {
	if found := newest.FindStringSubmatch(r.read("CHANGELOG.md")); found != nil {
		return found
	}
	return make([]string, 3)
}

func (r *release) entry() ([]string, error) {
	if top := r.heading()[1]; top != r.version {
		return []string{fmt.Sprintf("write what has changed since %s", top)}, nil
	}
	return nil, nil
}

func (r *release) date() ([]string, error) {
	date, err := time.Parse(dateFormat, r.heading()[2])
	if age := r.now.Sub(date); err != nil || age < -24*time.Hour || age > oldestDate {
		return []string{r.heading()[0]}, nil
	}
	return nil, nil
}

func (r *release) setDate() error {
	return r.change("CHANGELOG.md", r.heading()[0]+"\n", "## "+r.version+" — "+r.now.UTC().Format(dateFormat)+"\n")
}

func (r *release) readme() (left []string, err error) {
	if strings.Contains(r.read("README.md"), unreleased) {
		left = []string{unreleased + " …"}
	}
	return left, nil
}

// api is the file of the exported API. Tests and the Makefile have its name.
func (r *release) api() string { return "api/" + r.version + ".txt" }

func (r *release) golden() string { return "testdata/golden/" + r.version }

// listing compares the recorded API, and finds files that have the name of an earlier one.
func (r *release) listing() (left []string, err error) {
	if r.read(r.api()) == "" {
		left = append(left, r.api()+" does not exist")
	} else if _, err := r.run(r.clone, "go", "-C", "internal/gen", "run", "./api", "-file="+r.api(), "-check"); err != nil {
		left = append(left, err.Error())
	}
	earlier, err := r.earlier()
	for _, one := range earlier {
		left = append(left, one.file+" has "+one.name)
	}
	return left, err
}

func (r *release) list() error {
	earlier, err := r.earlier()
	if err != nil {
		return err
	}
	for _, one := range earlier {
		if err := r.change(one.file, one.name, path.Base(r.api())); err != nil {
			return err
		}
	}
	_, err = r.run(r.clone, "make", "generate")
	return err
}

// mention is the name of an earlier version's API in a file that should have this one's.
type mention struct{ file, name string }

func (r *release) earlier() (found []mention, err error) {
	files, err := filepath.Glob(filepath.Join(r.clone, "api", "v*.txt"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		name := filepath.Base(file)
		if name == path.Base(r.api()) {
			continue
		}
		out, err := r.run(r.clone, "git", "ls-files", "Makefile", "*.go")
		if err != nil {
			return nil, err
		}
		for _, user := range strings.Fields(out) {
			if strings.Contains(r.read(user), name) {
				found = append(found, mention{user, name})
			}
		}
	}
	return found, nil
}

// stored finds lists of golden files that are missing.
func (r *release) stored() (left []string, err error) {
	for _, list := range []string{"names.txt", "filters.txt", "tables.txt"} {
		if name := path.Join(r.golden(), list); r.read(name) == "" {
			left = append(left, name+" does not exist")
		}
	}
	return left, nil
}

func (r *release) uncommitted() ([]string, error) {
	out, err := r.run(r.clone, "git", "status", "--porcelain")
	return strings.FieldsFunc(out, func(c rune) bool { return c == '\n' }), err
}
