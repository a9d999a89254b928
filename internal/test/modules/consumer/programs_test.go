package consumer

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestNoProgramIsTracked finds what "go build" leaves in a tool's folder.
func TestNoProgramIsTracked(t *testing.T) {
	for _, file := range tracked(t) {
		data, err := os.ReadFile(filepath.Join(clone(t), file))
		if err != nil {
			t.Fatal(err)
		}
		for _, magic := range []string{"\x7fELF", "MZ\x90", "\xcf\xfa\xed\xfe"} {
			if bytes.HasPrefix(data, []byte(magic)) {
				t.Errorf("%s is a program", file)
			}
		}
	}
}

// TestDependencies: the library requires the modules that the README names, and no package of theirs or its own has
// cgo.
func TestDependencies(t *testing.T) {
	var required []string
	for _, r := range readGoMod(t, clone(t)).Require {
		required = append(required, r.Path)
	}
	if !slices.Equal(required, added) {
		t.Errorf("the library requires %s, not %s", required, added)
	}
	command := exec.Command("go", "list", "-deps", "-f", "{{if and (not .Standard) .CgoFiles}}{{.ImportPath}}{{end}}", "./...")
	command.Dir, command.Env = clone(t), append(os.Environ(), "CGO_ENABLED=1")
	output, err := command.Output()
	if output = bytes.TrimSpace(output); err != nil || len(output) > 0 {
		t.Errorf("packages with cgo: %s, %v", output, err)
	}
}
