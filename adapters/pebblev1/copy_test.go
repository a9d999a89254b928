package pebblev1_test

import (
	"os"
	"os/exec"
	"testing"
)

func TestFilesAreCopies(t *testing.T) {
	if _, err := os.Stat("../pebble"); err != nil {
		t.Skip("only in a clone is there something to compare with")
	}
	if output, err := exec.Command("go", "run", "copy.go", "-check").CombinedOutput(); err != nil {
		t.Errorf("%s(%v)", output, err)
	}
}
