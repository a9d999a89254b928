// Package documented tests the programs by the command lines in the documents of Speedb and RocksDB.
package documented

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

//go:embed commands.txt
var commands string

// Test runs a program's command lines. run is the program, at a scale for tests; it returns the exit status.
func Test(t *testing.T, program string, run func(args []string, stdout, stderr io.Writer) int) {
	tested := 0
	for _, block := range strings.Split(commands, "\n\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		command, is := strings.CutPrefix(lines[0], "$ ")
		environment, args, found := strings.Cut(command, "./"+program+" ")
		if !is || !found {
			continue
		}
		tested++
		t.Run(args, func(t *testing.T) {
			if name, folder, ok := strings.Cut(strings.TrimSpace(environment), "="); ok {
				t.Setenv(name, filepath.Join(t.TempDir(), folder))
			}
			var output bytes.Buffer
			status := run(strings.Fields(strings.ReplaceAll(args, `"`, "")), &output, &output)
			if status != 0 {
				fmt.Fprintf(&output, "exit status %d\n", status)
			}
			rest := output.String()
			for _, line := range lines[1:] {
				at := regexp.MustCompile(`(?m)^` + line + `$`).FindStringIndex(rest)
				if at == nil {
					t.Fatalf("no line %s in\n%s", line, output.Bytes())
				}
				rest = rest[at[1]:]
			}
			if status != 0 && !strings.HasPrefix(lines[len(lines)-1], "exit status") {
				t.Errorf("exit status %d: %s", status, output.Bytes())
			}
		})
	}
	if tested == 0 {
		t.Error("the documents have no command of", program)
	}
}
