//go:build !copies

package pebblev1_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestFilesAreCopies(t *testing.T) { run(t, "-check") }

// TestAsPebble runs the tests of adapters/pebble here. "make test-all" runs all of what -short leaves out.
func TestAsPebble(t *testing.T) { run(t, "-test", "-vet=off", "-short") }

func run(t *testing.T, arguments ...string) {
	t.Helper()
	if _, err := os.Stat("../pebble/store_test.go"); err != nil {
		t.Skip("only in a clone is there something to compare with")
	}
	output, err := exec.Command("go", append([]string{"run", "copy.go"}, arguments...)...).CombinedOutput()
	if err != nil {
		t.Errorf("go run copy.go %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
}
