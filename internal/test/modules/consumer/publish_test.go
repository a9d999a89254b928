package consumer

import (
	"archive/zip"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// published is a module as "go get" finds it.
type published struct {
	directory string // in the clone, with slashes; "." is the root module
	goMod     goMod
	files     []string // in the clone, with slashes
}

// installable says whether users require or install the module in a directory.
func installable(directory string) bool {
	return directory == "." || directory == "table" || directory == "cmd/simdbloom" || strings.HasPrefix(directory, "adapters/")
}

// modules returns the modules that users get, with the files that a release of them has:
// those that git tracks, and those that it would track after "git add".
func modules(t *testing.T) (found []*published) {
	t.Helper()
	byDirectory := make(map[string]*published)
	files := tracked(t)
	for _, file := range files {
		if path.Base(file) == "go.mod" {
			directory := path.Dir(file)
			byDirectory[directory] = &published{directory: directory, goMod: readGoMod(t, filepath.Join(clone(t), directory))}
		}
	}
	for _, file := range files {
		directory := path.Dir(file)
		for byDirectory[directory] == nil {
			directory = path.Dir(directory)
		}
		byDirectory[directory].files = append(byDirectory[directory].files, file)
	}
	for directory, module := range byDirectory {
		if !installable(directory) {
			continue
		}
		// "go get" adds the license of the repository to a module without one.
		if license := path.Join(directory, "LICENSE"); !slices.Contains(files, license) {
			module.files = append(module.files, "LICENSE")
		}
		found = append(found, module)
	}
	return found
}

func tracked(t *testing.T) (files []string) {
	t.Helper()
	command := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	command.Dir = clone(t)
	output, err := command.Output()
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("SKIPPED: no git, or no clone, and only git knows the files of a release: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range strings.FieldsFunc(string(output), func(r rune) bool { return r == 0 }) {
		if _, err := os.Stat(filepath.Join(clone(t), file)); err == nil { // else the file is deleted in the work tree
			files = append(files, file)
		}
	}
	return files
}

// version returns the version that the modules require of each other, and will have.
func version(t *testing.T, modules []*published) (version string) {
	t.Helper()
	for _, module := range modules {
		for _, required := range module.goMod.Require {
			if !strings.HasPrefix(required.Path, project) {
				continue
			}
			if version == "" {
				version = required.Version
			}
			if required.Version != version {
				t.Errorf("%s requires %s %s, and other modules %s", module.goMod.Module.Path, required.Path, required.Version, version)
			}
		}
	}
	if version == "" {
		t.Fatal("no module requires the root module")
	}
	return version
}

// publish writes a module into the directory of a proxy, as "go help goproxy" describes
// it. The go command checks the rest: a zip with a second go.mod, or with names that it
// does not accept, is an error for it.
func (p *published) publish(t *testing.T, proxy, version string) {
	t.Helper()
	directory := module(filepath.Join(proxy, filepath.FromSlash(p.goMod.Module.Path), "@v"))
	if err := os.MkdirAll(string(directory), 0o700); err != nil {
		t.Fatal(err)
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Now().UTC()})
	if err != nil {
		t.Fatal(err)
	}
	directory.write(t, "list", version+"\n")
	directory.write(t, version+".info", string(info))
	directory.write(t, version+".mod", read(t, filepath.Join(clone(t), p.directory, "go.mod")))
	var archive strings.Builder
	if err := p.zip(&archive, clone(t), version); err != nil {
		t.Fatal(err)
	}
	directory.write(t, version+".zip", archive.String())
}

func (p *published) zip(to io.Writer, clone, version string) error {
	archive := zip.NewWriter(to)
	for _, file := range p.files {
		name := file
		if inModule, ok := strings.CutPrefix(file, p.directory+"/"); ok {
			name = inModule
		}
		entry, err := archive.Create(p.goMod.Module.Path + "@" + version + "/" + name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(clone, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		if _, err := entry.Write(text); err != nil {
			return err
		}
	}
	return archive.Close()
}

// onlyFrom makes the go command take the project's modules from a proxy in a directory,
// and nothing of them from the module cache, where an earlier test's v0.1.0 would be.
// Modules of others come from the module cache, as from a proxy, and then from where they
// always come from.
func onlyFrom(t *testing.T, proxy string) {
	t.Helper()
	cache, fresh := goEnv(t, "GOMODCACHE"), t.TempDir()
	download := filepath.Join(cache, "cache", "download")
	asURL := func(directory string) string {
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(directory)}).String()
	}
	t.Setenv("GOPROXY", strings.Join([]string{asURL(proxy), asURL(download), goEnv(t, "GOPROXY")}, ","))
	t.Setenv("GONOPROXY", "none")
	t.Setenv("GONOSUMDB", strings.TrimPrefix(goEnv(t, "GONOSUMDB")+","+project, ","))
	t.Setenv("GOMODCACHE", fresh)
	// -trimpath lets packages in a module cache of another path come from the build cache.
	t.Setenv("GOFLAGS", strings.TrimSpace(goEnv(t, "GOFLAGS")+" -trimpath -modcacherw"))
	t.Setenv("CGO_ENABLED", "0") // Pebble's C code compiles for minutes, and is not needed

	// The checksum database is not queried again for known modules.
	if err := os.MkdirAll(filepath.Join(fresh, "cache", "download"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(download, "sumdb"), filepath.Join(fresh, "cache", "download", "sumdb")); err != nil {
		t.Log(err)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	output, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(output))
}
