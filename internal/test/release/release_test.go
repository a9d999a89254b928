package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestThisClone: what has to be true of every commit is true of this one, for the version that the changelog has at
// its top. "make check" compares the API.
func TestThisClone(t *testing.T) {
	r, err := newRelease(filepath.Join("..", "..", ".."), "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.modules) < 10 {
		t.Skip("SKIPPED: not a clone, because modules are missing")
	}
	r.run = func(folder, name string, args ...string) (string, error) {
		if name == "git" {
			return command(folder, name, args...)
		}
		return "", nil
	}
	for _, s := range r.steps() {
		if !s.always {
			continue
		}
		left, err := s.left()
		if err != nil || len(left) > 0 {
			t.Errorf("%s: %q, %v", s.what, left, err)
		}
	}
	if _, err := time.Parse(dateFormat, r.heading()[2]); err != nil && r.heading()[2] != "unreleased" {
		t.Errorf("%q has neither a date nor the word unreleased", r.heading()[0])
	}
	if readme, _ := r.readme(); (len(readme) > 0) != (r.heading()[2] == "unreleased") {
		t.Errorf("the changelog has %q, and README.md %q", r.heading()[0], readme)
	}
}

// files are a clone in small, at v0.1.0.
var files = map[string]string{
	"go.mod":                  "module " + project + "\n\ngo 1.24\n",
	"table/go.mod":            "module " + project + "/table\n\nrequire " + project + " v0.1.0\n",
	"adapters/parquet/go.mod": "module " + project + "/adapters/parquet\n\nrequire " + project + " v0.1.0\n",
	"adapters/parquet/arrow/go.mod": "module " + project + "/adapters/parquet/arrow\n\nrequire (\n\t" + project + " v0.1.0\n\t" +
		project + "/adapters/parquet v0.1.0\n)\n",
	"cmd/simdbloom/go.mod": "module " + project + "/cmd/simdbloom\n\nrequire (\n\t" + project + " v0.1.0\n\t" +
		project + "/adapters/parquet/arrow v0.1.0\n\t" + project + "/table v0.1.0 // indirect\n)\n",
	"bench/go.mod":                       "module " + project + "/bench\n\nreplace " + project + " => ../\n",
	"internal/gen/go.mod":                "module " + project + "/internal/gen\n",
	"table/testdata/x/go.mod":            "module x\n",
	"CHANGELOG.md":                       "# Changelog\n\n## v0.1.0 — unreleased\n\n- All.\n",
	"README.md":                          "Before the first release, use a clone: instead of `go get`, run this:\n",
	"Makefile":                           "API := " + old + "\n",
	"gone.go":                            "package gone // " + old + "\n",
	old:                                  "pkg simdbloom\n",
	"testdata/golden/v0.1.0/names.txt":   "one\n",
	"testdata/golden/v0.1.0/filters.txt": "one\n",
	"testdata/golden/v0.1.0/tables.txt":  "one\n",
}

const old = "api/" + "v0.1.0" + ".txt" // in two, for the step that looks for it

// clone writes files into a repository of their own, and returns a release of it in which programs other than git and
// "go mod edit" are imitated.
func clone(t *testing.T, version string) *release {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(folder, name), text)
	}
	if _, err := command(folder, "git", "init", "-q"); err != nil {
		t.Skipf("SKIPPED: no git: %v", err)
	}
	commit(t, folder)
	r, err := newRelease(folder, version, time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	r.run = func(in, name string, args ...string) (string, error) {
		switch line := name + " " + strings.Join(args, " "); {
		case name == "git" || strings.HasPrefix(line, "go mod edit"):
			return command(in, name, args...)
		case line == "make generate":
			write(t, filepath.Join(folder, r.api()), "pkg simdbloom\n")
		case strings.HasPrefix(line, "make golden"):
			for _, list := range []string{"names", "filters", "tables"} {
				write(t, filepath.Join(folder, r.golden(), list+".txt"), "one\n")
			}
		}
		return "", nil
	}
	return r
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, folder string) {
	t.Helper()
	for _, line := range []string{"add -A", "-c user.name=x -c user.email=x@example.com commit -qm x"} {
		if _, err := command(folder, "git", strings.Fields(line)...); err != nil {
			t.Fatal(err)
		}
	}
}

// open returns the beginnings of the steps that are left.
func open(t *testing.T, r *release) (found []string) {
	t.Helper()
	for _, s := range r.steps() {
		left, err := s.left()
		if err != nil {
			t.Fatal(err)
		}
		if len(left) > 0 {
			first, _, _ := strings.Cut(s.what, " ")
			found = append(found, first)
		}
	}
	return found
}

// TestFirst: of a clone at v0.1.0 the date is left, which -write sets, and the commit.
func TestFirst(t *testing.T) {
	r := clone(t, "")
	if got, want := open(t, r), []string{"CHANGELOG.md", "README.md"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, not %q", got, want)
	}
	var dry, wet strings.Builder
	if err := r.report(&dry, false); err != nil {
		t.Fatal(err)
	}
	if got := r.read("CHANGELOG.md"); got != files["CHANGELOG.md"] || !strings.Contains(dry.String(), "WRITE=1\" does 2 of the 2") {
		t.Errorf("the changelog is %q, and the report\n%s", got, &dry)
	}
	if err := r.report(&wet, true); err != nil {
		t.Fatal(err)
	}
	if got, want := open(t, r), []string{"everything"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, not %q", got, want)
	}
	if got := r.read("CHANGELOG.md") + r.read("README.md"); got != "# Changelog\n\n## v0.1.0 — 2026-12-01\n\n- All.\nWith a clone, instead of `go get`, run this:\n" {
		t.Errorf("the pages are %q", got)
	}
}

// TestNext: of the next version everything is left, and -write does what needs no decision.
func TestNext(t *testing.T) {
	r := clone(t, "v0.2.0")
	want := []string{"go.mod", "CHANGELOG.md", "CHANGELOG.md", "README.md", "api/v0.2.0.txt", "testdata/golden/v0.2.0"}
	if got := open(t, r); !slices.Equal(got, want) {
		t.Errorf("left are %q, not %q", got, want)
	}
	write(t, filepath.Join(r.clone, "CHANGELOG.md"), "# Changelog\n\n## v0.2.0\n\n- More.\n\n## v0.1.0 — 2026-11-30\n\n- All.\n")
	if err := r.report(new(strings.Builder), true); err != nil {
		t.Fatal(err)
	}
	if got, want := open(t, r), []string{"everything"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, not %q", got, want)
	}
	if got, want := r.read("CHANGELOG.md"), "# Changelog\n\n## v0.2.0 — 2026-12-01\n\n- More.\n\n## v0.1.0 — 2026-11-30\n\n- All.\n"; got != want {
		t.Errorf("the changelog is %q, not %q", got, want)
	}
	for name, times := range map[string]int{"cmd/simdbloom/go.mod": 3, "adapters/parquet/arrow/go.mod": 2, "table/go.mod": 1, "Makefile": 1, "gone.go": 1} {
		if got := strings.Count(r.read(name), "v0.2.0"); got != times || strings.Contains(r.read(name), "v0.1.0") {
			t.Errorf("%s has the version %d times, not %d:\n%s", name, got, times, r.read(name))
		}
	}
}

// TestReplacements are found, and never written.
func TestReplacements(t *testing.T) {
	r := clone(t, "")
	name := filepath.Join(r.clone, "table", "go.mod")
	write(t, name, files["table/go.mod"]+"\nreplace "+project+" => ../\n")
	r, err := newRelease(r.clone, "", r.now)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := r.replacements(); len(left) != 1 || !strings.HasPrefix(left[0], "table/go.mod: replace ") {
		t.Errorf("left is %q", left)
	}
}

// TestTags come behind those of the modules that they require. Those that exist are left out, and one at another commit
// is an error.
func TestTags(t *testing.T) {
	r := clone(t, "")
	want := []string{"v0.1.0", "adapters/parquet/v0.1.0", "table/v0.1.0", "adapters/parquet/arrow/v0.1.0", "cmd/simdbloom/v0.1.0"}
	for i := range len(want) + 1 {
		tags, err := r.tags()
		if err != nil || !slices.Equal(tags, want[i:]) {
			t.Fatalf("tags are %q, %v, not %q", tags, err, want[i:])
		}
		if by := r.byHand(tags); len(tags) == 0 && len(by) != 1 || len(tags) > 0 && (len(by) != 4 || strings.Count(by[2], "git push") != len(tags)) {
			t.Errorf("after %d tags by hand: %q", i, by)
		}
		if len(tags) > 0 {
			if _, err := command(r.clone, "git", "tag", tags[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(t, filepath.Join(r.clone, "more"), "more\n")
	commit(t, r.clone)
	if tags, err := r.tags(); err == nil {
		t.Errorf("tags at another commit: %q", tags)
	}
}

func TestVersions(t *testing.T) {
	for version, ok := range map[string]bool{
		"v0.1.0": true, "v1.20.3": true, "v0.1.0-rc.1": true,
		"0.1.0": false, "v0.1": false, "v2.0.0": false, "v01.0.0": false, "v0.1.0+x": false, "none": false,
	} {
		if _, err := newRelease(t.TempDir(), version, time.Now()); (err == nil) != ok {
			t.Errorf("%s: %v", version, err)
		}
	}
}

func TestDates(t *testing.T) {
	r := clone(t, "")
	for text, left := range map[string]int{"2026-12-01": 0, "2026-11-30": 0, "2026-11-25": 0, "2026-12-02": 0, "2026-11-23": 1, "2026-12-04": 1, "unreleased": 1, "": 1} {
		write(t, filepath.Join(r.clone, "CHANGELOG.md"), fmt.Sprintf("## v0.1.0 — %s\n", text))
		if got, err := r.date(); err != nil || len(got) != left {
			t.Errorf("%q: left is %q, %v", text, got, err)
		}
	}
}
