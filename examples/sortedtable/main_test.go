package main

import (
	"os"
	"strings"
	"testing"
)

// TestPage compares what this program prints with what docs/engines.md says.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/engines.md")
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	if err := run(&printed); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```\n"+printed.String()+"```\n") {
		t.Errorf("docs/engines.md does not have what is printed:\n%s", printed.String())
	}
}
