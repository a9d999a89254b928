// Package consumer tests the project as its users meet it. It follows every page that
// shows a program, in a fresh module that is not part of the project: once with the clone,
// and once with modules from a proxy, as they will be after a release.
package consumer

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const project = "github.com/simdbloom/simdbloom"

// added are the modules that the project may add to a user's go.sum, and addedByTable those that
// module table does.
var (
	added        = []string{"github.com/cespare/xxhash/v2", "github.com/klauspost/cpuid/v2", "golang.org/x/sys"}
	addedByTable = []string{"github.com/klauspost/compress", "github.com/minio/minlz", "github.com/zeebo/xxh3", "github.com/zeebo/assert"}
)

// page is a page of the documentation that shows a program, or one of those that it shows.
type page struct {
	name    string
	program string
	edits   [][]string // the arguments of its "go mod edit" commands, which are for a clone
	gets    [][]string // the arguments of its "go get" commands, which are for a release
}

var (
	programs = regexp.MustCompile("(?s)```go\n(package main\n.*?)```\n")
	edits    = regexp.MustCompile(`(?m)^    go (mod edit .*)$`)
	gets     = regexp.MustCompile(`(?m)^    go (get .*)$`)
	installs = regexp.MustCompile(`(?m)^ +go (install .*)$`)
)

// pages returns the README and the pages in docs, those that show a program, once for each
// program. Pages follow the README: in a clone its commands go before theirs, and one without
// commands for a release has the README's.
func pages(t *testing.T) (found []page) {
	t.Helper()
	clone := clone(t)
	names, err := filepath.Glob(filepath.Join(clone, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var readme page
	for _, name := range append([]string{filepath.Join(clone, "README.md")}, names...) {
		text := read(t, name)
		p := page{name: filepath.Base(name), edits: slices.Clone(readme.edits)}
		for _, edit := range edits.FindAllStringSubmatch(text, -1) {
			p.edits = append(p.edits, strings.Fields(strings.ReplaceAll(edit[1], "/path/to/the/clone", clone)))
		}
		for _, get := range gets.FindAllStringSubmatch(text, -1) {
			p.gets = append(p.gets, strings.Fields(get[1]))
		}
		if readme.name == "" {
			readme = p
		}
		if p.gets == nil {
			p.gets = readme.gets
		}
		for _, program := range programs.FindAllStringSubmatch(text, -1) {
			p.program = program[1]
			found = append(found, p)
		}
	}
	return found
}

func TestPages(t *testing.T) {
	for _, page := range pages(t) {
		t.Run(page.name, func(t *testing.T) { page.test(t, page.edits) })
	}
}

// test runs the page's commands, and then its program. The user's go.mod must keep the
// lowest version of Go, and their go.sum may grow only by what the project needs itself.
func (p page) test(t *testing.T, commands [][]string) {
	user := newModule(t)
	lowest := readGoMod(t, clone(t)).Go
	if strings.Contains(p.program, `"`+project+`/adapters/beam"`) { // Beam itself needs a newer one
		lowest = readGoMod(t, filepath.Join(clone(t), "adapters", "beam")).Go
	}
	user.goCommand(t, "mod", "init", "example.com/user")
	user.goCommand(t, "mod", "edit", "-go="+lowest)
	user.write(t, "main.go", p.program)
	for _, command := range commands {
		user.goCommand(t, command...)
	}
	user.goCommand(t, "mod", "tidy")
	user.goCommand(t, "vet", ".")
	user.goCommand(t, "run", ".")

	if got := readGoMod(t, string(user)).Go; got != lowest {
		t.Errorf("go mod tidy raised the user's Go from %s to %s", lowest, got)
	}
	before, may := p.withoutProject(t, user).sums(t), added
	if strings.Contains(p.program, `"`+project+`/table"`) {
		may = slices.Concat(added, addedByTable)
	}
	for _, line := range user.sums(t) {
		module, _, _ := strings.Cut(line, " ")
		if !slices.Contains(before, line) && !slices.Contains(may, module) && !strings.HasPrefix(module, project) {
			t.Errorf("the project adds to the user's go.sum: %s", line)
		}
	}
}

// withoutProject returns a module like the user's that imports the same databases, but
// nothing of the project.
func (p page) withoutProject(t *testing.T, user module) module {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", p.program, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	imports := "package main\n"
	for _, spec := range file.Imports {
		if path := spec.Path.Value; strings.HasPrefix(path, `"github.com/`) && !strings.HasPrefix(path, `"`+project) {
			imports += "import _ " + path + "\n"
		}
	}
	without := newModule(t)
	without.write(t, "main.go", imports+"func main() {}\n")
	without.write(t, "go.mod", read(t, filepath.Join(string(user), "go.mod")))
	for _, required := range readGoMod(t, string(user)).Require {
		if strings.HasPrefix(required.Path, project) {
			without.goCommand(t, "mod", "edit", "-droprequire="+required.Path, "-dropreplace="+required.Path)
		}
	}
	without.goCommand(t, "mod", "tidy")
	return without
}

// TestEveryAdapterHasAPage finds adapters by their go.mod.
func TestEveryAdapterHasAPage(t *testing.T) {
	pages := pages(t)
	adapters, err := filepath.Glob(filepath.Join(clone(t), "adapters", "*", "go.mod"))
	if err != nil || len(adapters) == 0 {
		t.Fatal(adapters, err)
	}
	for _, adapter := range adapters {
		path := readGoMod(t, filepath.Dir(adapter)).Module.Path
		if !slices.ContainsFunc(pages, func(p page) bool { return strings.Contains(p.program, `"`+path+`"`) }) {
			t.Errorf("no page has a program that imports %s", path)
		}
	}
}

// TestModulePaths compares the path of every module with its directory, where "go get"
// looks for it.
func TestModulePaths(t *testing.T) {
	clone := clone(t)
	err := filepath.WalkDir(clone, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.Name() != "go.mod" {
			return err
		}
		directory, err := filepath.Rel(clone, filepath.Dir(name))
		want := strings.TrimSuffix(project+"/"+filepath.ToSlash(directory), "/.")
		if got := readGoMod(t, filepath.Dir(name)).Module.Path; got != want {
			t.Errorf("%s names module %s, want %s", name, got, want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
