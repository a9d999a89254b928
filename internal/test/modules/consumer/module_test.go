package consumer

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// clone returns the directory of the project.
func clone(t *testing.T) string {
	t.Helper()
	directory, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	return directory
}

// module is the directory of a module that is not part of the project.
type module string

func newModule(t *testing.T) module { return module(t.TempDir()) }

func (m module) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(string(m), name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// goCommand runs the go command in the module, and returns what it prints.
func (m module) goCommand(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command("go", args...)
	command.Dir = string(m)
	var output, errors strings.Builder
	command.Stdout, command.Stderr = &output, &errors
	if err := command.Run(); err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, &output, &errors)
	}
	return output.String()
}

// sums returns the lines of go.sum. A module without requirements has no such file.
func (m module) sums(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(string(m), "go.sum"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}

// goMod is what the tests need of a go.mod, as "go mod edit -json" prints it.
type goMod struct {
	Module  struct{ Path string }
	Go      string
	Require []struct{ Path, Version string }
}

func readGoMod(t *testing.T, directory string) (m goMod) {
	t.Helper()
	command := exec.Command("go", "mod", "edit", "-json")
	command.Dir = directory
	output, err := command.Output()
	if err == nil {
		err = json.Unmarshal(output, &m)
	}
	if err != nil {
		t.Fatalf("go.mod in %s: %v", directory, err)
	}
	return m
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
