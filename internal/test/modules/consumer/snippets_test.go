package consumer

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// imported are the packages of the README's code, by the names that it uses.
var imported = map[string]string{
	"filterfile": project + "/filterfile",
	"fmt":        "fmt",
	"keyhash":    project + "/keyhash",
	"linear":     project + "/linear",
	"os":         "os",
	"parquet":    project + "/adapters/parquet",
	"pebble":     "github.com/cockroachdb/pebble/v2",
	"simdbloom":  project + "/adapters/pebble",
	"table":      project + "/table",
}

var (
	qualified = regexp.MustCompile(`\b([a-z]+)\.[A-Z]`)
	assigned  = regexp.MustCompile(`^(\w+, )?err :?= `)
	defined   = regexp.MustCompile(`^(\w+)(, err)? := `)
	prints    = regexp.MustCompile(`(?m)^fmt\.Println\(.*\) // (.*)$`)
)

// whole makes a program of lines of the README, which stops at the first error.
func whole(code string) string {
	names := []string{"fmt", "os"}
	for _, m := range qualified.FindAllStringSubmatch(code, -1) {
		if imported[m[1]] != "" && !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	program := "package main\n\nimport (\n"
	for _, name := range names {
		program += fmt.Sprintf("\t%s %q\n", name, imported[name])
	}
	program += ")\n\nfunc main() {\n"
	for line := range strings.Lines(code) {
		program += "\t" + line
		if assigned.MatchString(line) {
			program += "\tif err != nil {\n\t\tfmt.Println(err)\n\t\tos.Exit(1)\n\t}\n"
		}
		if m := defined.FindStringSubmatch(line); m != nil {
			program += "\t_ = " + m[1] + "\n"
		}
	}
	return program + "}\n"
}

// printed returns what the README says that its lines print: the comments behind them.
func printed(code string) string {
	var lines []string
	for _, m := range prints.FindAllStringSubmatch(code, -1) {
		lines = append(lines, m[1])
	}
	return strings.Join(lines, "\n")
}

// writeFiles writes the files that the README's code reads.
func (m module) writeFiles(t *testing.T) {
	t.Helper()
	for name, source := range map[string]string{
		"000012.sst":   "table/testdata/fastlocal-xxh3.sst",
		"rows.parquet": "testdata/golden/v0.1.0/tables/parquetgo.parquet",
	} {
		data, err := os.ReadFile(filepath.Join(clone(t), filepath.FromSlash(source)))
		if err != nil {
			t.Fatal(err)
		}
		m.write(t, name, string(data))
	}
}
