package consumer

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// licenses are those that a user gets with any of the modules, as the README says, and words of their texts.
var licenses = map[string][]string{
	"Apache-2.0": {"Apache License", "Version 2.0"},
	"MIT":        {"Permission is hereby granted, free of charge"},
	"BSD":        {"Redistributions of source code must retain", "THIS SOFTWARE IS PROVIDED BY"},
}

// others are words of licenses that would have to be mentioned.
var others = []string{"GNU ", "Mozilla Public License", "Eclipse Public License", "Creative Commons", "Business Source", "Server Side Public"}

// TestLicenses reads the licenses of what the packages of each module import, directly or not, tests aside.
func TestLicenses(t *testing.T) {
	readme := read(t, filepath.Join(clone(t), "README.md"))
	read := make(map[string]bool)
	for _, module := range modules(t) {
		for _, system := range []string{"linux", "darwin", "windows"} {
			command := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "./...")
			command.Dir, command.Env = filepath.Join(clone(t), module.directory), append(os.Environ(), "GOOS="+system, "CGO_ENABLED=1")
			output, err := command.Output()
			if err != nil {
				t.Fatalf("%s: go list: %v", module.directory, err)
			}
			for _, line := range strings.Split(strings.TrimSpace(string(output)), "\n") {
				fields := strings.Fields(line)
				if len(fields) != 3 || strings.HasPrefix(fields[0], project) || read[line] {
					continue
				}
				read[line] = true
				names, other := licensesIn(t, fields[2])
				for _, name := range names {
					if !strings.Contains(readme, name) {
						t.Errorf("%s %s has the license %s, which the README does not mention", fields[0], fields[1], name)
					}
				}
				if len(names) == 0 || other != "" {
					t.Errorf("%s imports %s %s, whose license is none of those known: %s", module.directory, fields[0], fields[1], other)
				}
				t.Log(module.directory, fields[0], fields[1], names)
			}
		}
	}
	if len(read) < 3 {
		t.Errorf("only %d modules were found", len(read))
	}
}

// licensesIn returns the licenses of a module in a directory, and words of another one.
func licensesIn(t *testing.T, directory string) (names []string, other string) {
	t.Helper()
	files, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.ToUpper(file.Name())
		if file.IsDir() || !strings.HasPrefix(name, "LICENSE") && !strings.HasPrefix(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text := strings.Join(strings.Fields(read(t, filepath.Join(directory, file.Name()))), " ")
		for name, words := range licenses {
			if !slices.Contains(names, name) && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
				names = append(names, name)
			}
		}
		for _, words := range others {
			if strings.Contains(text, words) {
				other = words
			}
		}
	}
	slices.Sort(names)
	return names, other
}
