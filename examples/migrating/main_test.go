package main

import (
	"os"
	"strings"
	"testing"
)

// TestPage compares this program with the one that people copy.
func TestPage(t *testing.T) {
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/migrating.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```go\n"+string(program)+"```\n") {
		t.Error("docs/migrating.md has another program than examples/migrating/main.go")
	}
}

func Example() {
	main()
	// Output:
	// new: apple
	// true false
	// about 100 thousand keys
}
