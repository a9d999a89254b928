package main

import (
	"os"
	"strings"
	"testing"
)

// TestREADME compares this program with the one in the README, which people copy.
func TestREADME(t *testing.T) {
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```go\n"+string(program)+"```\n") {
		t.Error("README.md has another program than examples/quickstart/main.go")
	}
}

func Example() {
	main()
	// Output:
	// true false
	// [true false]
}
