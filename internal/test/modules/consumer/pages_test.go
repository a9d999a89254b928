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
	output  string   // what the program prints, if that is known
	gets    []string // what its "go get" commands get
}

var (
	programs = regexp.MustCompile("(?s)```go\n(package main\n.*?)```\n")
	edits    = regexp.MustCompile(`(?m)^    go (mod edit .*)$`)
	gets     = regexp.MustCompile(`(?m)^    go get (.*)$`)
	installs = regexp.MustCompile(`(?m)^ +go (install .*)$`)
	snippets = regexp.MustCompile("(?ms)^    go get (\\S+)$|```go\n(.*?)```\n")
	examples = regexp.MustCompile(`(?s)^package \w+_test\n(.*)func Example\(\)(.*?)// Output: (.*?)\n(.*)$`)
)

// pages returns the README, once for each of its pieces of code, and the pages in docs that show a program, once for
// each program. One without a "go get" has the README's first. The pages of two modules are their examples.
func pages(t *testing.T) (found []page) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(clone(t), "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	p := page{name: "README.md"}
	for _, part := range snippets.FindAllStringSubmatch(read(t, filepath.Join(clone(t), "README.md")), -1) {
		if part[1] != "" {
			p.gets = []string{part[1]}
			continue
		}
		p.program, p.output = whole(part[2]), printed(part[2])
		found = append(found, p)
	}
	for _, name := range names {
		text := read(t, name)
		p := page{name: filepath.Base(name)}
		for _, get := range gets.FindAllStringSubmatch(text, -1) {
			p.gets = append(p.gets, get[1])
		}
		if p.gets == nil {
			p.gets = found[0].gets
		}
		for _, program := range programs.FindAllStringSubmatch(text, -1) {
			p.program = program[1]
			found = append(found, p)
		}
	}
	for _, module := range []string{"adapters/parquet/arrow", "adapters/parquet/parquetgo"} {
		parts := examples.FindStringSubmatch(read(t, filepath.Join(clone(t), module, "example_test.go")))
		if parts == nil {
			t.Fatalf("%s has no example that is a whole file", module)
		}
		program := "package main\n" + parts[1] + "func main()" + parts[2] + parts[4]
		found = append(found, page{name: module, program: program, output: parts[3], gets: []string{project + "/" + module + "@latest"}})
	}
	return found
}

// release returns the commands that get the page's modules.
func (p page) release() (commands [][]string) {
	for _, get := range p.gets {
		commands = append(commands, []string{"get", get})
	}
	return commands
}

// fromClone returns the README's commands for a clone: that with MODULE once for each module of the
// project, besides the root, that the page gets or that one of these requires.
func (p page) fromClone(t *testing.T) (commands [][]string) {
	t.Helper()
	var needed []string
	need := func(path string) {
		if module, ok := strings.CutPrefix(path, project+"/"); ok && !slices.Contains(needed, module) {
			needed = append(needed, module)
		}
	}
	for _, get := range p.gets {
		path, _, _ := strings.Cut(get, "@")
		need(path)
		for _, required := range readGoMod(t, filepath.Join(clone(t), strings.TrimPrefix(path, project))).Require {
			need(required.Path)
		}
	}
	for _, edit := range edits.FindAllStringSubmatch(read(t, filepath.Join(clone(t), "README.md")), -1) {
		command := strings.ReplaceAll(edit[1], "/path/to/the/clone", clone(t))
		if !strings.Contains(command, "MODULE") {
			commands = append(commands, strings.Fields(command))
			continue
		}
		for _, module := range needed {
			commands = append(commands, strings.Fields(strings.ReplaceAll(command, "MODULE", module)))
		}
	}
	return commands
}

func TestPages(t *testing.T) {
	for _, page := range pages(t) {
		t.Run(page.name, func(t *testing.T) { page.test(t, page.fromClone(t)) })
	}
}

// test runs commands, and then the page's program. The user's go.mod must keep the lowest version of
// Go that the modules need, and their go.sum may grow only by what the project needs itself.
func (p page) test(t *testing.T, commands [][]string) {
	user := newModule(t)
	var lowest string
	for _, get := range p.gets {
		path, _, _ := strings.Cut(get, "@")
		lowest = max(lowest, readGoMod(t, filepath.Join(clone(t), strings.TrimPrefix(path, project))).Go) // 1.24.0, 1.25.0 …
	}
	user.goCommand(t, "mod", "init", "example.com/user")
	user.goCommand(t, "mod", "edit", "-go="+lowest)
	user.write(t, "main.go", p.program)
	user.write(t, "keys.txt", "a key\n") // which the program of docs/files.md reads
	user.writeFiles(t)
	for _, command := range commands {
		user.goCommand(t, command...)
	}
	user.goCommand(t, "mod", "tidy")
	user.goCommand(t, "vet", ".")
	if output := user.goCommand(t, "run", "."); p.output != "" && output != p.output+"\n" {
		t.Errorf("the program prints %q, not %q", output, p.output)
	}

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

// TestEveryModuleIsUsed requires that the programs import every module that users get.
func TestEveryModuleIsUsed(t *testing.T) {
	pages := pages(t)
	for _, module := range modules(t) {
		path := module.goMod.Module.Path
		if module.directory != "cmd/simdbloom" && !slices.ContainsFunc(pages, func(p page) bool { return strings.Contains(p.program, `"`+path+`"`) }) {
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
