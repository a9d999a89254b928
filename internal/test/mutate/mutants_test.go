package main

import (
	"go/format"
	"slices"
	"strings"
	"testing"
)

// TestMutants: each is the file with one line changed, which is still Go.
func TestMutants(t *testing.T) {
	const source = `package p

import "fmt"

func f(a []int, n int) error {
	if n < len(a) {
		n += 2
		g(n)
	}
	for !h(n) {
		continue
	}
	return fmt.Errorf("n %d", n+1)
}
`
	var lines []string
	mutants, err := mutantsIn("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Split(source, "\n")
	for _, m := range mutants {
		changed := m.in([]byte(source))
		if _, err := format.Source(changed); err != nil {
			t.Errorf("%v: %v", m, err)
		}
		after := strings.Split(string(changed), "\n")
		for i := range after {
			if (after[i] == before[i]) != (i != m.line-1) {
				t.Errorf("%v: line %d is %q", m, i+1, after[i])
			}
		}
		lines = append(lines, strings.TrimSpace(after[m.line-1]))
	}
	want := []string{"", "", "", "for h(n) {", "if false && (n < len(a)) {", "if n <= len(a) {", "n += 3"}
	if slices.Sort(lines); !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}
