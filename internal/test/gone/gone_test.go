// Package gone tests the list of names that the exported API had, and has no more.
package gone

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestGone: every line of api/gone.txt has names, who could have used them, and what they write now, and no name is in
// the API. A method or a field is written Type.Name. A name before parentheses has changed.
func TestGone(t *testing.T) {
	exported := exported(lines(t, "v0.1.0.txt"))
	gone := lines(t, "gone.txt")
	if !slices.IsSorted(gone) {
		t.Error("gone.txt is not sorted")
	}
	for _, line := range gone {
		words := regexp.MustCompile(`^([\w/]+) ([A-Z][^:]*): (.+) -> (.+)$`).FindStringSubmatch(line)
		if words == nil {
			t.Errorf("%q is not PACKAGE NAME, NAME: who could have used it -> what they write now", line)
			continue
		}
		for _, name := range regexp.MustCompile(`[A-Z][\w.]*(?: ?\(.*?\))?`).FindAllString(words[2], -1) {
			if exported[words[1]+" "+name] {
				t.Errorf("%s %s is in the API", words[1], name)
			}
		}
	}
}

// exported returns the names that lines of the API have: "bloom NewBuilder", "simdbloom Filter.Contains".
func exported(lines []string) map[string]bool {
	names := map[string]bool{}
	for _, line := range lines {
		for _, pattern := range []string{
			`^pkg ([\w/]+), (?:const|func|type|var) (\w+)`,
			`^pkg ([\w/]+), method \(\*?(\w+)(?:\[.*\])?\) (\w+)`,
			`^pkg ([\w/]+), type (\w+)(?:\[.*\])? (?:struct|interface), (\w+)`,
		} {
			if words := regexp.MustCompile(pattern).FindStringSubmatch(line); words != nil {
				if name := words[1] + " " + strings.Join(words[2:], "."); strings.HasPrefix(name, "simdbloom adder.") {
					names[strings.Replace(name, "adder", "Mutable", 1)], names[strings.Replace(name, "adder", "Concurrent", 1)] = true, true
				} else {
					names[name] = true
				}
			}
		}
	}
	return names
}

func lines(t *testing.T, file string) []string {
	data, err := os.ReadFile("../../../api/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// TestExported has a line of each kind.
func TestExported(t *testing.T) {
	names := exported([]string{
		"pkg bloom, func Open([]byte, keyhash.Hash) (*simdbloom.Filter, error)", "pkg keyhash, func Values[T ~int32 | ~int64]([]T) Column",
		"pkg simdbloom, method (*Filter) Contains([]byte) bool", "pkg simdbloom, method (adder) Full() bool",
		"pkg adapters/beam, type Set struct, Distinct bool", "pkg simdbloom, type Filter struct", "pkg simdbloom, const Empty = Format(asm.Empty)",
	})
	for _, name := range []string{
		"bloom Open", "keyhash Values", "simdbloom Filter.Contains", "simdbloom Mutable.Full", "simdbloom Concurrent.Full", "adapters/beam Set", "adapters/beam Set.Distinct",
		"simdbloom Filter", "simdbloom Empty",
	} {
		if !names[name] {
			t.Errorf("%s is missing in %v", name, names)
		}
	}
}
